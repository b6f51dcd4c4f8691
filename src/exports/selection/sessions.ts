// Sessions: each is shipped, as it is now, by every run in whose interval events of it were stored. One that goes on
// later is shipped again, and destinations that merge keep the later row.
import type { BoundValues } from '../../filters/bound-values.ts';
import { rangeSql, type Selection } from './selection.ts';

export function sessionRowsSql({ team_id, range }: Selection, bound: BoundValues): string {
  const team = bound.bind('Int64', team_id);
  const touched = `
      SELECT toUUIDOrZero(\`$session_id\`) AS session_id, max(inserted_at) AS stored_at
        FROM events
       WHERE team_id = ${team} AND ${rangeSql('inserted_at', range, bound)} AND \`$session_id\` != ''
       GROUP BY session_id`;
  return `
    SELECT
      toInt64(${team}) AS team_id,
      toString(session.session_id) AS session_id,
      session.distinct_id AS distinct_id,
      session.start_timestamp AS start_timestamp,
      session.end_timestamp AS end_timestamp,
      arraySort(session.urls) AS urls,
      toInt64(length(session.urls)) AS num_uniq_urls,
      session.entry.url AS entry_current_url,
      session.entry.pathname AS entry_pathname,
      domain(session.entry.url) AS entry_hostname,
      session.end_url AS end_current_url,
      path(session.end_url) AS end_pathname,
      domain(session.end_url) AS end_hostname,
      session.entry.utm_source AS entry_utm_source,
      session.entry.utm_campaign AS entry_utm_campaign,
      session.entry.utm_medium AS entry_utm_medium,
      session.entry.utm_term AS entry_utm_term,
      session.entry.utm_content AS entry_utm_content,
      session.entry.referring_domain AS entry_referring_domain,
      session.entry.gclid AS entry_gclid,
      session.entry.fbclid AS entry_fbclid,
      toInt64(session.pageview_count) AS pageview_count,
      toInt64(session.autocapture_count) AS autocapture_count,
      toInt64(session.screen_count) AS screen_count,
      toInt64(session.duration) AS session_duration,
      toBool(session.pageview_count + session.screen_count <= 1 AND session.autocapture_count = 0
             AND session.duration < 10) AS is_bounce,
      touched.stored_at AS _inserted_at
    FROM (
      SELECT * FROM sessions WHERE team_id = ${team} AND session_id IN (SELECT session_id FROM (${touched}))
    ) AS session
    INNER JOIN (${touched}) AS touched ON touched.session_id = session.session_id`;
}
