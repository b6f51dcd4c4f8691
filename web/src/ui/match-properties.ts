type Property = [name: string, value: unknown];

/** People's own properties before those of the SDKs, which begin with `$`; each by its name. */
function byName([a]: Property, [b]: Property): number {
  const own = Number(a.startsWith('$')) - Number(b.startsWith('$'));
  return own === 0 ? a.localeCompare(b) : own;
}

/** Those in whose name or value the text occurs, in order. */
export function matchProperties(properties: readonly Property[], search: string): Property[] {
  const wanted = search.trim().toLowerCase();
  return properties
    .filter(
      ([name, value]) =>
        name.toLowerCase().includes(wanted) || (JSON.stringify(value) ?? '').toLowerCase().includes(wanted),
    )
    .sort(byName);
}
