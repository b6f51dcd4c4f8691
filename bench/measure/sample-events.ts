// Events as a web shop's pages and servers send them: some 45 properties and 1.6 kB from a browser, 9 and 0.2 kB from a
// server. Seeded, so that every run and every alternative stores the same.
import type { EventRow } from '../../src/store/tables/rows.ts';
import { type Random, seededRandom } from '../../test/random.ts';

export interface SampleOptions {
  rows: number;
  /** How many of the events come from browsers, 0 to 1. */
  webShare: number;
  people: number;
  days: number;
}

type JsonRecord = Readonly<Record<string, unknown>>;

const DAY_MICROS = 86_400_000_000;
const START = Date.UTC(2025, 2, 1) * 1_000;

interface Visitor {
  distinct_id: string;
  person_id: string;
  session_id: string;
  browser: string;
  browserVersion: number;
  os: string;
  country: string;
  referrer: string;
  plan: string;
  /** What is known of the person, as JSON. */
  webProperties: string;
  serverProperties: string;
}

/** Rows in the order of their arrival; `inserted_at` and the like are the same for all of a batch. */
export function* sampleEvents({ rows, webShare, people, days }: SampleOptions): Generator<EventRow> {
  const random = seededRandom(2_025);
  const visitors = Array.from({ length: people }, (_, n) => makeVisitor(random, n));
  for (let n = 0; n < rows; n += 1) {
    const visitor = visitors[Math.floor(random.next() * random.next() * people)]!;
    const isWeb = random.chance(webShare);
    const properties = isWeb ? webProperties(random, visitor) : serverProperties(random, visitor);
    const person_properties = isWeb ? visitor.webProperties : visitor.serverProperties;
    const arrival = START + Math.floor((n / rows) * days) * DAY_MICROS;
    yield {
      uuid: makeUuid(random),
      event: random.pick(isWeb ? WEB_EVENTS : SERVER_EVENTS),
      properties: Buffer.from(JSON.stringify(properties)),
      properties_sent: '',
      timestamp: arrival + random.int(DAY_MICROS),
      team_id: 1,
      distinct_id: visitor.distinct_id,
      elements_chain: '',
      created_at: arrival + DAY_MICROS,
      person_id: visitor.person_id,
      person_created_at: START / 1_000,
      person_properties,
      person_mode: 'full',
      historical_migration: false,
      inserted_at: arrival + DAY_MICROS,
      log_partition: 0,
      log_position: n,
      batch_id: Math.floor(n / 1_000),
    };
  }
}

const WEB_EVENTS = ['$pageview', '$pageview', '$pageview', '$autocapture', '$pageleave', 'button clicked', 'signed up'];
const SERVER_EVENTS = ['order placed', 'invoice sent', 'job done'];
const BROWSERS = ['Chrome', 'Chrome', 'Safari', 'Mobile Safari', 'Firefox', 'Microsoft Edge'];
const SYSTEMS = ['Mac OS X', 'Windows', 'iOS', 'Android', 'Linux'];
const COUNTRIES = ['United States', 'Germany', 'France', 'Brazil', 'India', 'Japan'];
const REFERRERS = ['www.google.com', '$direct', 'news.ycombinator.com', 'github.com'];
const PLANS = ['free', 'free', 'pro', 'team', 'enterprise'];

const makeHex = (random: Random, digits: number): string => random.bytes(digits / 2).toString('hex');

function makeUuid(random: Random): string {
  const hex = makeHex(random, 32);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const userAgent = (os: string, browser: string, version: number): string =>
  `Mozilla/5.0 (${os}; Intel 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) ${browser}/${version}.0.0.0 Safari/537.36`;

function makeVisitor(random: Random, n: number): Visitor {
  const browser = random.pick(BROWSERS);
  const browserVersion = 90 + random.int(50);
  const os = random.pick(SYSTEMS);
  const country = random.pick(COUNTRIES);
  const referrer = random.pick(REFERRERS);
  const plan = random.pick(PLANS);
  const known = { email: `user${n}@example.com`, name: `User ${n}`, plan, company: `Company ${n % 500}` };
  const asFirstSeen = {
    $initial_browser: browser,
    $initial_browser_version: browserVersion,
    $initial_os: os,
    $initial_device_type: 'Desktop',
    $initial_current_url: `https://example.com/landing/${n % 40}?utm_source=mail&utm_campaign=c${n % 9}`,
    $initial_pathname: `/landing/${n % 40}`,
    $initial_referrer: `https://${referrer}/`,
    $initial_referring_domain: referrer,
    $initial_utm_source: 'mail',
    $initial_utm_campaign: `c${n % 9}`,
    $initial_geoip_country_name: country,
    $initial_geoip_city_name: `City ${n % 200}`,
    $initial_raw_user_agent: userAgent(os, browser, browserVersion),
  };
  const asLastSeen = { $browser: browser, $os: os, $geoip_country_name: country, $geoip_city_name: `City ${n % 200}` };
  return {
    distinct_id: `user-${n}-${makeHex(random, 8)}`,
    person_id: makeUuid(random),
    session_id: makeUuid(random),
    browser,
    browserVersion,
    os,
    country,
    referrer,
    plan,
    webProperties: JSON.stringify({ ...known, ...asFirstSeen, ...asLastSeen }),
    serverProperties: JSON.stringify(known),
  };
}

function webProperties(random: Random, visitor: Visitor): JsonRecord {
  const path = `/${random.pick(['pricing', 'docs', 'blog', 'app', 'settings'])}/${random.int(300)}`;
  return {
    $os: visitor.os,
    $os_version: '10.15.7',
    $browser: visitor.browser,
    $browser_version: visitor.browserVersion,
    $browser_language: 'en-GB',
    $device_type: 'Desktop',
    $timezone: 'Europe/Berlin',
    $current_url: `https://example.com${path}?ref=${random.int(1_000)}`,
    $host: 'example.com',
    $pathname: path,
    $raw_user_agent: userAgent(visitor.os, visitor.browser, visitor.browserVersion),
    $screen_height: 1080,
    $screen_width: 1920,
    $viewport_height: 900 + random.int(100),
    $viewport_width: 1_500 + random.int(400),
    $lib: 'web',
    $lib_version: '1.434.18',
    $insert_id: makeHex(random, 16),
    $time: 1_700_000_000 + random.int(1_000_000_000) / 1_000,
    distinct_id: visitor.distinct_id,
    $device_id: visitor.person_id,
    $user_id: visitor.distinct_id,
    $is_identified: true,
    $process_person_profile: true,
    $referrer: `https://${visitor.referrer}/`,
    $referring_domain: visitor.referrer,
    utm_source: null,
    utm_medium: null,
    utm_campaign: null,
    gclid: null,
    $session_id: visitor.session_id,
    $window_id: visitor.person_id,
    $pageview_id: makeUuid(random),
    $session_entry_url: 'https://example.com/',
    $session_entry_host: 'example.com',
    $session_entry_pathname: '/',
    $active_feature_flags: ['new-nav', 'beta'],
    '$feature/new-nav': 'control',
    '$feature/beta': true,
    $geoip_country_name: visitor.country,
    $geoip_country_code: visitor.country.slice(0, 2).toUpperCase(),
    $geoip_city_name: 'Berlin',
    $geoip_latitude: 52.52,
    $geoip_longitude: 13.4,
    plan: visitor.plan,
    button: random.pick(['buy', 'cancel', 'next']),
    amount: random.int(10_000) / 100,
    token: 'phc_abcdefghijklmnopqrstuvwxyz012345',
  };
}

function serverProperties(random: Random, visitor: Visitor): JsonRecord {
  return {
    $lib: 'posthog-node',
    $lib_version: '5.67.0',
    $geoip_disable: true,
    plan: visitor.plan,
    amount: random.int(10_000) / 100,
    items: [1, 2, 3].map((n) => `sku-${n}-${random.int(100)}`),
    source: random.pick(['api', 'cron', 'web']),
    duration_ms: random.int(5_000),
    order_id: makeHex(random, 20),
  };
}
