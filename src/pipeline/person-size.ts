// How much may be known about one person. Counting the bytes of every person with every event would cost more than all
// its other steps, so an object that is surely small enough is let through by the size it had and what was added.
import type { JsonObject } from '../capture/exact-json.ts';

/** The stored properties of one person, as JSON. */
export const PERSON_BYTES_MAX = 655_360;
/** Properties with no more members than this, each of no more characters, surely fit: a quick look settles nearly all. */
const FEW_MEMBERS = 200;
const SHORT_CHARACTERS = 1_000;

export function fitsPerson(properties: JsonObject): boolean {
  return isSurelySmall(properties) || Buffer.byteLength(JSON.stringify(properties)) <= PERSON_BYTES_MAX;
}

/** 200 members of 1,000 characters, three bytes each at most, and their names are below the limit. */
function isSurelySmall(properties: JsonObject): boolean {
  let members = 0;
  for (const key in properties) {
    const value = properties[key];
    members += 1;
    if (members > FEW_MEMBERS || key.length > FEW_MEMBERS) return false;
    if (typeof value === 'object' && value !== null) return false;
    if (typeof value === 'string' && value.length > SHORT_CHARACTERS) return false;
  }
  return true;
}
