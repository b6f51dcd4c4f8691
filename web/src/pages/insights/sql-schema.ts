// What the editor offers: the tables of the event store as SQL sees them, with the properties of this project.
const EVENT_COLUMNS = ['uuid', 'event', 'timestamp', 'distinct_id', 'created_at', 'elements_chain', '$session_id'];
const PERSON_COLUMNS = ['id', 'created_at', 'is_identified'];

const PLAIN = /^[A-Za-z_$][\w$]*$/;
/** A name that SQL would not read as one is quoted. */
export const quoteName = (name: string) => (PLAIN.test(name) ? name : `\`${name.replaceAll('`', '``')}\``);

const bag = (names: readonly string[]) => Object.fromEntries(names.map((name) => [quoteName(name), []]));
const columns = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, []]));

export function toSchema(eventProperties: readonly string[], personProperties: readonly string[]) {
  const person = { ...columns(PERSON_COLUMNS), properties: bag(personProperties) };
  return {
    events: { ...columns(EVENT_COLUMNS), properties: bag(eventProperties), person },
    persons: person,
    person_distinct_ids: columns(['distinct_id', 'person_id']),
    groups: columns(['index', 'key', 'created_at', 'properties']),
    sessions: columns(['session_id', '$start_timestamp', '$end_timestamp', '$session_duration']),
    cohort_people: columns(['cohort_id', 'person_id']),
    static_cohort_people: columns(['cohort_id', 'person_id']),
  };
}
