import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geoipProperties, type Place } from './geoip-properties.ts';

const nowhere: Place = {
  city_name: null,
  subdivision_1_name: null,
  subdivision_1_code: null,
  subdivision_2_name: null,
  subdivision_2_code: null,
  country_name: null,
  country_code: null,
  continent_name: null,
  continent_code: null,
  postal_code: null,
  latitude: null,
  longitude: null,
  accuracy_radius: null,
  time_zone: null,
};

test('the event gets what is known; the person also forgets what is not', () => {
  const { properties, $set, $set_once } = geoipProperties({ ...nowhere, country_code: 'DE', latitude: 0 });
  assert.deepEqual(properties, { $geoip_country_code: 'DE', $geoip_latitude: 0 });
  assert.equal($set.$geoip_country_code, 'DE');
  assert.equal($set.$geoip_city_name, null);
  assert.equal($set_once.$initial_geoip_country_code, 'DE');
  assert.equal($set_once.$initial_geoip_city_name, null);
  assert.equal(Object.keys($set).length, 14);
});
