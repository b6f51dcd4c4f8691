import { cutCharacters } from '../capture/distinct-id.ts';
import { toStorableText } from './storable-json.ts';

export const EVENT_NAME_CHARACTERS_MAX = 200;

/** The name under which an event is stored: Unicode without NUL, and cut. */
export function settleEventName(event: string): string {
  return cutCharacters(toStorableText(event), EVENT_NAME_CHARACTERS_MAX);
}
