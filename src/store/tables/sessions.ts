// Sessions, put together from events as they are inserted. A session is known by `$session_id`, a UUID of version 7,
// whose own time says where to look for it.
import { column, type Feed, quoteName, type Table, type View } from './description.ts';
import { type HotProperty, hotColumn, plainTextSql } from './properties.ts';

/** How a session began: told by its first event that shows a page or a screen, or by its first one if none does. */
const ENTRY: Readonly<Record<string, HotProperty>> = {
  url: '$current_url',
  pathname: '$pathname',
  screen_name: '$screen_name',
  referring_domain: '$referring_domain',
  utm_source: 'utm_source',
  utm_medium: 'utm_medium',
  utm_campaign: 'utm_campaign',
  utm_term: 'utm_term',
  utm_content: 'utm_content',
  gclid: 'gclid',
  fbclid: 'fbclid',
  browser: '$browser',
  browser_version: '$browser_version',
  os: '$os',
  os_version: '$os_version',
  device_type: '$device_type',
  geoip_country_code: '$geoip_country_code',
  geoip_subdivision_1_name: '$geoip_subdivision_1_name',
  geoip_city_name: '$geoip_city_name',
  timezone: '$timezone',
};
const entryType = `Tuple(${Object.keys(ENTRY)
  .map((name) => `${name} String`)
  .join(', ')})`;

/** First pages and screens, then everything else; each in the order of time. */
const ENTRY_ORDER = "Tuple(UInt8, DateTime64(6, 'UTC'))";

export const rawSessions: Table = {
  kind: 'table',
  name: 'raw_sessions',
  columns: [
    column('team_id', 'Int64'),
    column('session_hour', "DateTime64(3, 'UTC')"),
    column('session_id', 'UUID'),
    column('distinct_id', "AggregateFunction(argMax, String, DateTime64(6, 'UTC'))"),
    column('min_timestamp', "SimpleAggregateFunction(min, DateTime64(6, 'UTC'))"),
    column('max_timestamp', "SimpleAggregateFunction(max, DateTime64(6, 'UTC'))"),
    column('entry', `AggregateFunction(argMin, ${entryType}, ${ENTRY_ORDER})`),
    column('end_url', "AggregateFunction(argMax, String, DateTime64(6, 'UTC'))"),
    column('urls', 'SimpleAggregateFunction(groupUniqArrayArray, Array(String))'),
    column('event_count', 'SimpleAggregateFunction(sum, UInt64)'),
    column('pageview_count', 'SimpleAggregateFunction(sum, UInt64)'),
    column('autocapture_count', 'SimpleAggregateFunction(sum, UInt64)'),
    column('screen_count', 'SimpleAggregateFunction(sum, UInt64)'),
  ],
  engine: 'AggregatingMergeTree',
  // Without partitions: the time inside an id is the client's to choose, and must not choose the number of parts.
  orderBy: ['team_id', 'session_hour', 'session_id'],
  shardBy: 'sipHash64(session_id)',
};

const url = plainTextSql('`mat_$current_url`');
const NO_TIME = "toDateTime64('1900-01-01 00:00:00', 6, 'UTC')";

/** Ids of version 7, written in the usual way. */
const IS_SESSION =
  "match(`$session_id`, '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-7[0-9a-fA-F]{3}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$')";

export const sessionsFeed: Feed = {
  kind: 'feed',
  name: 'raw_sessions_feed',
  from: 'events',
  to: 'raw_sessions',
  select: (from) => `SELECT
  team_id,
  toDateTime64(toStartOfHour(UUIDv7ToDateTime(session_id, 'UTC')), 3, 'UTC') AS session_hour,
  toUUIDOrZero(\`$session_id\`) AS session_id,
  argMaxState(distinct_id, timestamp) AS distinct_id,
  min(timestamp) AS min_timestamp,
  max(timestamp) AS max_timestamp,
  argMinState(
    CAST(tuple(${Object.values(ENTRY)
      .map((name) => plainTextSql(`\`${hotColumn(name)}\``))
      .join(', ')}), '${entryType}'),
    CAST(tuple(\`mat_$current_url\` = '' AND \`mat_$screen_name\` = '', timestamp), '${ENTRY_ORDER.replaceAll("'", "\\'")}')
  ) AS entry,
  argMaxState(${url}, if(${url} = '', ${NO_TIME}, timestamp)) AS end_url,
  groupUniqArrayIf(${url}, ${url} != '') AS urls,
  count() AS event_count,
  countIf(event = '$pageview') AS pageview_count,
  countIf(event = '$autocapture') AS autocapture_count,
  countIf(event = '$screen') AS screen_count
FROM ${from}
WHERE ${IS_SESSION}
GROUP BY team_id, session_hour, session_id`,
};

/** Columns of events that the feed reads. */
const FEED_COLUMNS = [
  'team_id',
  'event',
  'distinct_id',
  'timestamp',
  '`$session_id`',
  ...new Set([...Object.values(ENTRY), '$screen_name'].map((name) => quoteName(hotColumn(name)))),
].join(', ');

/** What is counted, and so must not be fed twice; everything else of a session may be told again without harm. */
const COUNTED = ['event_count', 'pageview_count', 'autocapture_count', 'screen_count'];

/**
 * Feeds again what is missing of the sessions that a batch has touched. The engine stores events and then the sessions
 * fed from them; killed in between, it has the ones without the others. Each count is filled up to what the events say,
 * so that doing it once more changes nothing.
 */
export const MEND_SESSIONS = `INSERT INTO raw_sessions
SELECT fed.* REPLACE (${COUNTED.map((name) => `fed.${name} - known.${name} AS ${name}`).join(', ')})
FROM (
  ${sessionsFeed
    .select(
      `(
    SELECT ${FEED_COLUMNS} FROM events
    WHERE (team_id, \`$session_id\`) GLOBAL IN (
      SELECT team_id, \`$session_id\` FROM events
      WHERE inserted_at = fromUnixTimestamp64Micro({inserted_at:Int64}) AND batch_id = {batch_id:UInt64}
        AND \`$session_id\` != ''
    )
  )`,
    )
    .replaceAll('\n', '\n  ')}
) AS fed
LEFT JOIN (
  SELECT team_id, session_hour, session_id, ${COUNTED.map((name) => `sum(${name}) AS ${name}`).join(', ')}
  FROM raw_sessions
  GROUP BY team_id, session_hour, session_id
) AS known USING (team_id, session_hour, session_id)
WHERE fed.event_count > known.event_count`;

export const sessions: View = {
  kind: 'view',
  name: 'sessions',
  select: `SELECT
  team_id,
  session_id,
  session_hour,
  argMaxMerge(raw_sessions.distinct_id) AS distinct_id,
  min(raw_sessions.min_timestamp) AS start_timestamp,
  max(raw_sessions.max_timestamp) AS end_timestamp,
  dateDiff('second', start_timestamp, end_timestamp) AS duration,
  argMinMerge(raw_sessions.entry) AS entry,
  argMaxMerge(raw_sessions.end_url) AS end_url,
  groupUniqArrayArray(raw_sessions.urls) AS urls,
  sum(raw_sessions.event_count) AS event_count,
  sum(raw_sessions.pageview_count) AS pageview_count,
  sum(raw_sessions.autocapture_count) AS autocapture_count,
  sum(raw_sessions.screen_count) AS screen_count
FROM raw_sessions
GROUP BY team_id, session_hour, session_id`,
};
