// What an address may say about a page. Anything else in it is let go.

type Kinds = Readonly<Record<string, 'text' | 'list' | 'yes'>>;
type Value<Kind> = Kind extends 'list' ? unknown[] : Kind extends 'yes' ? true : string;

export type SearchOf<K extends Kinds> = { [Name in keyof K]?: Value<K[Name]> | undefined };

/** The router reads values as JSON where it can, so a text that looks like a number arrives as one. */
const readers = {
  text: (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined,
  list: (value: unknown) => (Array.isArray(value) ? value : undefined),
  yes: (value: unknown) => (value === true ? true : undefined),
};

export const readSearch =
  <const K extends Kinds>(kinds: K) =>
  (given: Record<string, unknown>): SearchOf<K> =>
    Object.fromEntries(
      Object.entries(kinds).flatMap(([name, kind]) => {
        const value = readers[kind](given[name]);
        return value === undefined || value === '' ? [] : [[name, value]];
      }),
    ) as SearchOf<K>;
