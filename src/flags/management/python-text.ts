/** A JSON value as Python prints it: error texts of the wire show values that way. */
export function toPythonText(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string')
    return value.includes("'") && !value.includes('"') ? `"${value}"` : `'${value.replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(toPythonText).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  return `{${Object.entries(value)
    .map(([key, one]) => `${toPythonText(key)}: ${toPythonText(one)}`)
    .join(', ')}}`;
}
