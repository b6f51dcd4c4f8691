// Where an address is, as properties of the event and of its person.
import type { JsonObject } from '../capture/exact-json.ts';

/** What a city database knows about an address; null for what it does not. */
export interface Place {
  city_name: string | null;
  subdivision_1_name: string | null;
  subdivision_1_code: string | null;
  subdivision_2_name: string | null;
  subdivision_2_code: string | null;
  country_name: string | null;
  country_code: string | null;
  continent_name: string | null;
  continent_code: string | null;
  postal_code: string | null;
  latitude: number | null;
  longitude: number | null;
  accuracy_radius: number | null;
  time_zone: string | null;
}

export interface GeoipProperties {
  /** On the event: only what is known. */
  properties: JsonObject;
  /** On the person: unknown parts are null, so that nothing of the last place stays behind. */
  $set: JsonObject;
  $set_once: JsonObject;
}

export function geoipProperties(place: Place): GeoipProperties {
  const found: GeoipProperties = { properties: {}, $set: {}, $set_once: {} };
  for (const [name, value] of Object.entries(place)) {
    if (value !== null) found.properties[`$geoip_${name}`] = value;
    found.$set[`$geoip_${name}`] = value;
    found.$set_once[`$initial_geoip_${name}`] = value;
  }
  return found;
}
