// Whether an event belongs to an action: one of its steps fits.
import { invalid } from '../../http/errors.ts';
import type { Action, ActionStep } from '../kind.ts';
import { attributePattern, selectorPattern, tagPattern } from './elements.ts';
import type { EventsSql } from './events-sql.ts';

type Matching = 'contains' | 'regex' | 'exact';

/** Bool, never null. An action without steps fits nothing. */
export function actionSql(action: Action, events: EventsSql): string {
  const steps = action.steps.map((step) => stepSql(step, events));
  return `(${steps.join(' OR ') || 'false'})`;
}

function stepSql(step: ActionStep, events: EventsSql): string {
  const { bound, alias } = events;
  const conditions: string[] = [];
  if (step.event) conditions.push(`${alias}.event = ${bound.text(step.event)}`);
  if (step.url) {
    const { text } = events.property('event', '$current_url');
    conditions.push(matchSql(text, step.url, step.url_matching ?? 'contains', events));
  }
  const chain = `${alias}.elements_chain`;
  if (step.selector) conditions.push(`match(${chain}, ${bound.text(selectorPattern(step.selector))})`);
  if (step.tag_name) conditions.push(anySql(chain, tagPattern, step.tag_name, 'exact', events));
  if (step.text) conditions.push(anySql(chain, attributePattern('text'), step.text, step.text_matching, events));
  if (step.href) conditions.push(anySql(chain, attributePattern('href'), step.href, step.href_matching, events));
  if (step.properties) conditions.push(events.filters(step.properties));
  return `(${conditions.join(' AND ') || 'true'})`;
}

function anySql(
  chain: string,
  pattern: string,
  wanted: string,
  matching: Matching | null | undefined,
  events: EventsSql,
): string {
  const test = matchSql(`replaceAll(element, '\\\\"', '"')`, wanted, matching ?? 'exact', events);
  return `arrayExists(element -> ${test}, extractAll(${chain}, ${events.bound.text(pattern)}))`;
}

function matchSql(text: string, wanted: string, matching: Matching, { bound }: EventsSql): string {
  switch (matching) {
    case 'exact':
      return `${text} = ${bound.text(wanted)}`;
    case 'regex':
      return `match(${text}, ${bound.text(wanted)})`;
    case 'contains':
      return `like(${text}, ${bound.text(`%${wanted.replace(/[\\_]/g, '\\$&')}%`)})`;
    default:
      throw invalid(`"${String(matching)}" is no way to match; there are: contains, regex, exact.`, 'steps');
  }
}
