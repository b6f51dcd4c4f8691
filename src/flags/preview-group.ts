// A group as the pipeline will have written it, once it gets to what was accepted: by the pipeline's own rules.
import { decodeRecord, type EventRecord } from '../capture/record.ts';
import { type FindPlace, type ProjectRules, prepareEvent } from '../pipeline/prepare-event.ts';
import type { AcceptedWrite } from './accepted-writes.ts';
import type { Properties } from './evaluation/properties.ts';

/** To say again what is stored already changes nothing, so nobody needs to know how far the pipeline is. */
export function previewGroup(
  stored: Properties | undefined,
  writes: readonly AcceptedWrite[],
  rules: ProjectRules,
  findPlace: FindPlace | undefined,
): Properties | undefined {
  let properties = stored;
  for (const { value } of writes) {
    const event = prepareEvent(decodeRecord(value) as EventRecord, rules, findPlace ?? (() => undefined));
    const update = 'dropped' in event ? undefined : event.groupUpdate;
    // Numbers that JavaScript would round are kept as texts there; evaluation takes them as JSON has them.
    if (update) properties = { ...properties, ...JSON.parse(JSON.stringify(update.$group_set)) };
  }
  return properties;
}
