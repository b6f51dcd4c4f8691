// What a change did, as the activity log keeps it: field by field, before and after.

export interface Change {
  type: string;
  action: 'created' | 'changed' | 'deleted';
  field: string;
  before: unknown;
  after: unknown;
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

/** The fields that differ between two states, compared by value. */
export function changesBetween(type: string, before: object, after: object, fields: readonly string[]): Change[] {
  const of = (state: object, field: string) => (state as Record<string, unknown>)[field] ?? null;
  return fields.flatMap((field) => {
    const [from, to] = [of(before, field), of(after, field)];
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    const action = isEmpty(from) ? 'created' : isEmpty(to) ? 'deleted' : 'changed';
    return [{ type, action, field, before: from, after: to }];
  });
}
