// What can be asked about a session, under the names that the wire has for it.

export interface SessionProperty {
  readonly column: string;
  readonly isText: boolean;
}

const text = (column: string): SessionProperty => ({ column, isText: true });
const number = (column: string): SessionProperty => ({ column, isText: false });

export const SESSION_PROPERTIES: Readonly<Record<string, SessionProperty>> = {
  $session_duration: number('duration'),
  $start_timestamp: text('start_timestamp'),
  $end_timestamp: text('end_timestamp'),
  $entry_current_url: text('entry_url'),
  $entry_pathname: text('entry_pathname'),
  $entry_screen_name: text('entry_screen_name'),
  $entry_referring_domain: text('entry_referring_domain'),
  $entry_utm_source: text('entry_utm_source'),
  $entry_utm_medium: text('entry_utm_medium'),
  $entry_utm_campaign: text('entry_utm_campaign'),
  $entry_utm_term: text('entry_utm_term'),
  $entry_utm_content: text('entry_utm_content'),
  $entry_gclid: text('entry_gclid'),
  $entry_fbclid: text('entry_fbclid'),
  $end_current_url: text('end_url'),
  $exit_current_url: text('end_url'),
  $event_count: number('event_count'),
  $pageview_count: number('pageview_count'),
  $autocapture_count: number('autocapture_count'),
  $screen_count: number('screen_count'),
  $is_bounce: number('is_bounce'),
};

const ENTRY_COLUMNS = [
  'url',
  'pathname',
  'screen_name',
  'referring_domain',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'gclid',
  'fbclid',
];

/** The sessions of a project, one row each. */
export const sessionsSql = (team: string): string => `
  SELECT session_id, distinct_id, start_timestamp, end_timestamp, duration, end_url, urls,
         event_count, pageview_count, autocapture_count, screen_count,
         ${ENTRY_COLUMNS.map((name) => `entry.${name} AS entry_${name}`).join(', ')},
         toUInt8(pageview_count + screen_count <= 1 AND autocapture_count = 0 AND duration < 10) AS is_bounce
    FROM sessions
   WHERE team_id = ${team}`;
