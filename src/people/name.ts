// What a person is called where there is room for one name only.

const NAME_PROPERTIES = ['email', 'Email', '$email', 'name', 'Name', 'username', 'Username', 'UserName'];

/** Ids that an SDK made up look like this: five groups of letters and digits. */
const MADE_UP = /^([a-z0-9]+-){4}[a-z0-9]+$/;

export interface Named {
  uuid: string;
  properties: Readonly<Record<string, unknown>>;
  distinct_ids: readonly string[];
}

/** The first of the chosen properties that says something, else the id that best tells who it is, else the uuid. */
export function personName(
  { uuid, properties, distinct_ids }: Named,
  chosen: readonly string[] = NAME_PROPERTIES,
): string {
  for (const property of chosen) {
    const value = Object.hasOwn(properties, property) ? properties[property] : undefined;
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') return String(value);
  }
  return tellingFirst(distinct_ids)[0] ?? uuid;
}

/** Ids that somebody chose come before those that were made up. */
export function tellingFirst(distinct_ids: readonly string[]): string[] {
  const isMadeUp = (id: string) => MADE_UP.test(id);
  return [...distinct_ids.filter((id) => !isMadeUp(id)), ...distinct_ids.filter(isMadeUp)];
}
