import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { StartError } from '../platform/start-error.ts';
import { openGeoip, readCityDatabase, readPlace } from './geoip.ts';

test('a flat row is a place, with what it does not know left open', () => {
  const place = readPlace({
    city: '',
    country_code: 'MG',
    state1: 'Analamanga',
    state2: '',
    latitude: -18,
    longitude: 47,
  });
  assert.equal(place?.country_name, 'Madagascar');
  assert.equal(place?.continent_name, 'Africa');
  assert.equal(place?.subdivision_1_name, 'Analamanga');
  assert.deepEqual([place?.city_name, place?.subdivision_2_name, place?.time_zone], [null, null, null]);
});

test("MaxMind's own form is read, too", () => {
  const place = readPlace({
    city: { names: { en: 'Linköping' } },
    country: { iso_code: 'SE', names: { en: 'Sweden' } },
    continent: { code: 'EU', names: { en: 'Europe' } },
    location: { latitude: 58.4, longitude: 15.6, accuracy_radius: 76, time_zone: 'Europe/Stockholm' },
    subdivisions: [{ iso_code: 'E', names: { en: 'Östergötland County' } }],
    postal: { code: '580' },
  });
  assert.deepEqual(
    [place?.city_name, place?.country_code, place?.subdivision_1_code, place?.accuracy_radius, place?.postal_code],
    ['Linköping', 'SE', 'E', 76, '580'],
  );
});

test('the installed database knows public addresses of both kinds, and nothing of private ones and nonsense', async (t) => {
  const cities = await readCityDatabase('', pino({ level: 'silent' }));
  if (!cities) return t.skip('no city database is installed');
  const find = openGeoip(cities);
  assert.equal(find('89.160.20.112')?.country_code, 'SE');
  assert.equal(find('2a02:d200::1')?.continent_code, 'EU');
  for (const address of ['10.0.0.1', '127.0.0.1', '::1', 'nonsense', '']) assert.equal(find(address), undefined);
});

test('a city database that cannot be read is refused in words', async () => {
  for (const path of ['/nowhere/cities.mmdb', import.meta.filename]) {
    await assert.rejects(readCityDatabase(path, pino({ level: 'silent' })), (error: Error) => {
      assert.ok(error instanceof StartError);
      assert.match(error.message, /^GEOIP_DB: .* is not a readable city database: /);
      return true;
    });
  }
});
