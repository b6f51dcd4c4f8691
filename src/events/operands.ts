// Where a filter finds its value in a row of `events`. Names of properties are bound, for they come from outside.
import type { BoundValues } from '../filters/bound-values.ts';
import type { Target } from '../filters/parse.ts';
import { jsonOperand, type Operand } from '../filters/sql.ts';
import { invalid } from '../http/errors.ts';
import { quoteName } from '../store/tables/description.ts';
import { HOT_PROPERTIES, hotColumn, isCustomPersonProperty, isCustomProperty } from '../store/tables/properties.ts';

export function eventOperand({ type, key }: Target, bound: BoundValues): Operand {
  switch (type) {
    case 'event':
      return jsonOperand(eventJsonSql(key, bound));
    case 'person':
      return jsonOperand(personJsonSql(key, bound));
    case 'event_metadata':
      return columnOperand(key);
  }
}

/** SQL for the JSON text of an event's property; '' when there is none. */
export function eventJsonSql(name: string, bound: BoundValues): string {
  const hot = HOT_PROPERTIES.find((candidate) => candidate === name);
  if (hot) return quoteName(hotColumn(hot));
  if (isCustomProperty(name)) return `properties_custom[${bound.text(name)}]`;
  return `JSONExtractRaw(properties, ${bound.text(name)})`;
}

/** What the person was like when the event was stored. */
function personJsonSql(name: string, bound: BoundValues): string {
  if (isCustomPersonProperty(name)) return `person_properties_custom[${bound.text(name)}]`;
  return `JSONExtractRaw(person_properties, ${bound.text(name)})`;
}

const COLUMNS = ['event', 'distinct_id', 'timestamp', 'uuid', 'person_id'] as const;

function columnOperand(key: string): Operand {
  const column = COLUMNS.find((name) => name === key);
  if (!column) throw invalid(`"${key}" is no column of events; there are: ${COLUMNS.join(', ')}.`, 'properties');
  return { text: `toString(${column})`, isSet: 'true' };
}
