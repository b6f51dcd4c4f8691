/** How many different ids the first column of a CSV has. */
export function countIds(csv: string): number {
  const ids = csv.split(/\r?\n/).map((line) => (/^\s*(?:"([^"]*)"|([^,]*))/.exec(line) ?? []).slice(1).join('').trim());
  return new Set(ids.filter((id) => id !== '')).size;
}
