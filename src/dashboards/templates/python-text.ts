// Values as Python writes them. The texts of a template's faults come from a Python service, and clients show them.

/** `{'name': 'Ada', 'tags': [], 'pinned': True, 'color': None}` */
export function toPythonText(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(toPythonText).join(', ')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([key, each]) => `${quote(key)}: ${toPythonText(each)}`);
    return `{${entries.join(', ')}}`;
  }
  return String(value);
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** In single quotes, unless the text has some and no double ones. */
function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  return mark + text.replace(/[\\\n\r\t]/g, (found) => ESCAPES[found] ?? '').replaceAll(mark, `\\${mark}`) + mark;
}
