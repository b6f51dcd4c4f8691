-- Printed by `node src/store/tables/print.ts`; a test compares what it makes with the description there.
CREATE TABLE IF NOT EXISTS events
(
  `uuid` UUID,
  `event` LowCardinality(String),
  `properties` String CODEC(ZSTD(1)),
  `properties_sent` String CODEC(ZSTD(1)),
  `timestamp` DateTime64(6, 'UTC'),
  `team_id` Int64,
  `distinct_id` String,
  `elements_chain` String CODEC(ZSTD(1)),
  `created_at` DateTime64(6, 'UTC'),
  `person_id` UUID,
  `person_created_at` DateTime64(3, 'UTC'),
  `person_properties` String CODEC(ZSTD(1)),
  `person_mode` Enum8('full' = 0, 'propertyless' = 1, 'force_upgrade' = 2),
  `historical_migration` Bool,
  `inserted_at` DateTime64(6, 'UTC'),
  `log_partition` UInt32,
  `log_position` UInt64,
  `batch_id` UInt64,
  `$group_0` String MATERIALIZED tupleElement(JSONExtract(properties, 'Tuple(`$group_0` String, `$group_1` String, `$group_2` String, `$group_3` String, `$group_4` String, `$session_id` String, `$window_id` String)'), '$group_0'),
  `$group_1` String MATERIALIZED tupleElement(JSONExtract(properties, 'Tuple(`$group_0` String, `$group_1` String, `$group_2` String, `$group_3` String, `$group_4` String, `$session_id` String, `$window_id` String)'), '$group_1'),
  `$group_2` String MATERIALIZED tupleElement(JSONExtract(properties, 'Tuple(`$group_0` String, `$group_1` String, `$group_2` String, `$group_3` String, `$group_4` String, `$session_id` String, `$window_id` String)'), '$group_2'),
  `$group_3` String MATERIALIZED tupleElement(JSONExtract(properties, 'Tuple(`$group_0` String, `$group_1` String, `$group_2` String, `$group_3` String, `$group_4` String, `$session_id` String, `$window_id` String)'), '$group_3'),
  `$group_4` String MATERIALIZED tupleElement(JSONExtract(properties, 'Tuple(`$group_0` String, `$group_1` String, `$group_2` String, `$group_3` String, `$group_4` String, `$session_id` String, `$window_id` String)'), '$group_4'),
  `$session_id` String MATERIALIZED tupleElement(JSONExtract(properties, 'Tuple(`$group_0` String, `$group_1` String, `$group_2` String, `$group_3` String, `$group_4` String, `$session_id` String, `$window_id` String)'), '$session_id'),
  `$window_id` String MATERIALIZED tupleElement(JSONExtract(properties, 'Tuple(`$group_0` String, `$group_1` String, `$group_2` String, `$group_3` String, `$group_4` String, `$session_id` String, `$window_id` String)'), '$window_id'),
  `mat_$browser` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$browser')],
  `mat_$browser_version` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$browser_version')],
  `mat_$os` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$os')],
  `mat_$os_version` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$os_version')],
  `mat_$device_type` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$device_type')],
  `mat_$current_url` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$current_url')],
  `mat_$host` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$host')],
  `mat_$pathname` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$pathname')],
  `mat_$screen_name` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$screen_name')],
  `mat_$referrer` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$referrer')],
  `mat_$referring_domain` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$referring_domain')],
  `mat_$lib` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$lib')],
  `mat_$lib_version` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$lib_version')],
  `mat_$event_type` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$event_type')],
  `mat_$geoip_country_code` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$geoip_country_code')],
  `mat_$geoip_country_name` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$geoip_country_name')],
  `mat_$geoip_subdivision_1_name` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$geoip_subdivision_1_name')],
  `mat_$geoip_city_name` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$geoip_city_name')],
  `mat_$timezone` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$timezone')],
  `mat_$feature_flag` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$feature_flag')],
  `mat_$feature_flag_response` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), '$feature_flag_response')],
  `mat_utm_source` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), 'utm_source')],
  `mat_utm_medium` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), 'utm_medium')],
  `mat_utm_campaign` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), 'utm_campaign')],
  `mat_utm_term` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), 'utm_term')],
  `mat_utm_content` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), 'utm_content')],
  `mat_gclid` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), 'gclid')],
  `mat_fbclid` LowCardinality(String) MATERIALIZED tupleElement(JSONExtractKeysAndValuesRaw(properties), 2)[indexOf(tupleElement(JSONExtractKeysAndValuesRaw(properties), 1), 'fbclid')],
  `properties_custom` Map(LowCardinality(String), String) MATERIALIZED CAST(arrayFilter(pair -> (NOT startsWith(pair.1, '$') OR startsWith(pair.1, '$feature/')) AND pair.1 NOT IN ('utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'gclid', 'fbclid', 'distinct_id', 'token'), JSONExtractKeysAndValuesRaw(properties)), 'Map(LowCardinality(String), String)') CODEC(ZSTD(1)),
  `person_properties_custom` Map(LowCardinality(String), String) MATERIALIZED CAST(arrayFilter(pair -> (NOT startsWith(pair.1, '$') OR startsWith(pair.1, '$feature/')), JSONExtractKeysAndValuesRaw(person_properties)), 'Map(LowCardinality(String), String)') CODEC(ZSTD(1)),
  INDEX by_inserted_at inserted_at TYPE minmax GRANULARITY 1,
  INDEX by_timestamp timestamp TYPE minmax GRANULARITY 1,
  INDEX by_uuid uuid TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_person_id person_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree()
PARTITION BY toYYYYMM(inserted_at)
ORDER BY (team_id, toDate32(timestamp), event, cityHash64(distinct_id), cityHash64(uuid))
SAMPLE BY cityHash64(distinct_id)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS person
(
  `id` UUID,
  `created_at` DateTime64(3, 'UTC'),
  `team_id` Int64,
  `properties` String CODEC(ZSTD(1)),
  `is_identified` Bool,
  `is_deleted` Bool,
  `version` UInt64,
  `inserted_at` DateTime64(6, 'UTC'),
  INDEX by_inserted_at inserted_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (team_id, id)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS person_distinct_id
(
  `team_id` Int64,
  `distinct_id` String,
  `person_id` UUID,
  `is_deleted` Bool,
  `version` UInt64,
  `inserted_at` DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (team_id, distinct_id)
SETTINGS non_replicated_deduplication_window = 10000, index_granularity = 512;

CREATE TABLE IF NOT EXISTS person_distinct_id_overrides
(
  `team_id` Int64,
  `distinct_id` String,
  `person_id` UUID,
  `is_deleted` Bool,
  `version` UInt64,
  `inserted_at` DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (team_id, distinct_id)
SETTINGS non_replicated_deduplication_window = 10000, index_granularity = 512;

CREATE TABLE IF NOT EXISTS groups
(
  `group_type_index` UInt8,
  `group_key` String,
  `created_at` DateTime64(3, 'UTC'),
  `team_id` Int64,
  `group_properties` String CODEC(ZSTD(1)),
  `version` UInt64,
  `inserted_at` DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (team_id, group_type_index, group_key)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS ingestion_warnings
(
  `team_id` Int64,
  `source` LowCardinality(String),
  `type` LowCardinality(String),
  `details` String CODEC(ZSTD(1)),
  `timestamp` DateTime64(6, 'UTC')
)
ENGINE = MergeTree()
PARTITION BY toYYYYMM(timestamp)
ORDER BY (team_id, timestamp, type)
TTL toDateTime(timestamp) + toIntervalDay(90)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS raw_sessions
(
  `team_id` Int64,
  `session_hour` DateTime64(3, 'UTC'),
  `session_id` UUID,
  `distinct_id` AggregateFunction(argMax, String, DateTime64(6, 'UTC')),
  `min_timestamp` SimpleAggregateFunction(min, DateTime64(6, 'UTC')),
  `max_timestamp` SimpleAggregateFunction(max, DateTime64(6, 'UTC')),
  `entry` AggregateFunction(argMin, Tuple(url String, pathname String, screen_name String, referring_domain String, utm_source String, utm_medium String, utm_campaign String, utm_term String, utm_content String, gclid String, fbclid String, browser String, browser_version String, os String, os_version String, device_type String, geoip_country_code String, geoip_subdivision_1_name String, geoip_city_name String, timezone String), Tuple(UInt8, DateTime64(6, 'UTC'))),
  `end_url` AggregateFunction(argMax, String, DateTime64(6, 'UTC')),
  `urls` SimpleAggregateFunction(groupUniqArrayArray, Array(String)),
  `event_count` SimpleAggregateFunction(sum, UInt64),
  `pageview_count` SimpleAggregateFunction(sum, UInt64),
  `autocapture_count` SimpleAggregateFunction(sum, UInt64),
  `screen_count` SimpleAggregateFunction(sum, UInt64)
)
ENGINE = AggregatingMergeTree()
ORDER BY (team_id, session_hour, session_id)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS raw_sessions_feed TO raw_sessions AS
SELECT
  team_id,
  toDateTime64(toStartOfHour(UUIDv7ToDateTime(session_id, 'UTC')), 3, 'UTC') AS session_hour,
  toUUIDOrZero(`$session_id`) AS session_id,
  argMaxState(distinct_id, timestamp) AS distinct_id,
  min(timestamp) AS min_timestamp,
  max(timestamp) AS max_timestamp,
  argMinState(
    CAST(tuple(if(startsWith(`mat_$current_url`, '"'), JSONExtractString(`mat_$current_url`), if(`mat_$current_url` = 'null', '', `mat_$current_url`)), if(startsWith(`mat_$pathname`, '"'), JSONExtractString(`mat_$pathname`), if(`mat_$pathname` = 'null', '', `mat_$pathname`)), if(startsWith(`mat_$screen_name`, '"'), JSONExtractString(`mat_$screen_name`), if(`mat_$screen_name` = 'null', '', `mat_$screen_name`)), if(startsWith(`mat_$referring_domain`, '"'), JSONExtractString(`mat_$referring_domain`), if(`mat_$referring_domain` = 'null', '', `mat_$referring_domain`)), if(startsWith(`mat_utm_source`, '"'), JSONExtractString(`mat_utm_source`), if(`mat_utm_source` = 'null', '', `mat_utm_source`)), if(startsWith(`mat_utm_medium`, '"'), JSONExtractString(`mat_utm_medium`), if(`mat_utm_medium` = 'null', '', `mat_utm_medium`)), if(startsWith(`mat_utm_campaign`, '"'), JSONExtractString(`mat_utm_campaign`), if(`mat_utm_campaign` = 'null', '', `mat_utm_campaign`)), if(startsWith(`mat_utm_term`, '"'), JSONExtractString(`mat_utm_term`), if(`mat_utm_term` = 'null', '', `mat_utm_term`)), if(startsWith(`mat_utm_content`, '"'), JSONExtractString(`mat_utm_content`), if(`mat_utm_content` = 'null', '', `mat_utm_content`)), if(startsWith(`mat_gclid`, '"'), JSONExtractString(`mat_gclid`), if(`mat_gclid` = 'null', '', `mat_gclid`)), if(startsWith(`mat_fbclid`, '"'), JSONExtractString(`mat_fbclid`), if(`mat_fbclid` = 'null', '', `mat_fbclid`)), if(startsWith(`mat_$browser`, '"'), JSONExtractString(`mat_$browser`), if(`mat_$browser` = 'null', '', `mat_$browser`)), if(startsWith(`mat_$browser_version`, '"'), JSONExtractString(`mat_$browser_version`), if(`mat_$browser_version` = 'null', '', `mat_$browser_version`)), if(startsWith(`mat_$os`, '"'), JSONExtractString(`mat_$os`), if(`mat_$os` = 'null', '', `mat_$os`)), if(startsWith(`mat_$os_version`, '"'), JSONExtractString(`mat_$os_version`), if(`mat_$os_version` = 'null', '', `mat_$os_version`)), if(startsWith(`mat_$device_type`, '"'), JSONExtractString(`mat_$device_type`), if(`mat_$device_type` = 'null', '', `mat_$device_type`)), if(startsWith(`mat_$geoip_country_code`, '"'), JSONExtractString(`mat_$geoip_country_code`), if(`mat_$geoip_country_code` = 'null', '', `mat_$geoip_country_code`)), if(startsWith(`mat_$geoip_subdivision_1_name`, '"'), JSONExtractString(`mat_$geoip_subdivision_1_name`), if(`mat_$geoip_subdivision_1_name` = 'null', '', `mat_$geoip_subdivision_1_name`)), if(startsWith(`mat_$geoip_city_name`, '"'), JSONExtractString(`mat_$geoip_city_name`), if(`mat_$geoip_city_name` = 'null', '', `mat_$geoip_city_name`)), if(startsWith(`mat_$timezone`, '"'), JSONExtractString(`mat_$timezone`), if(`mat_$timezone` = 'null', '', `mat_$timezone`))), 'Tuple(url String, pathname String, screen_name String, referring_domain String, utm_source String, utm_medium String, utm_campaign String, utm_term String, utm_content String, gclid String, fbclid String, browser String, browser_version String, os String, os_version String, device_type String, geoip_country_code String, geoip_subdivision_1_name String, geoip_city_name String, timezone String)'),
    CAST(tuple(`mat_$current_url` = '' AND `mat_$screen_name` = '', timestamp), 'Tuple(UInt8, DateTime64(6, \'UTC\'))')
  ) AS entry,
  argMaxState(if(startsWith(`mat_$current_url`, '"'), JSONExtractString(`mat_$current_url`), if(`mat_$current_url` = 'null', '', `mat_$current_url`)), if(if(startsWith(`mat_$current_url`, '"'), JSONExtractString(`mat_$current_url`), if(`mat_$current_url` = 'null', '', `mat_$current_url`)) = '', toDateTime64('1900-01-01 00:00:00', 6, 'UTC'), timestamp)) AS end_url,
  groupUniqArrayIf(if(startsWith(`mat_$current_url`, '"'), JSONExtractString(`mat_$current_url`), if(`mat_$current_url` = 'null', '', `mat_$current_url`)), if(startsWith(`mat_$current_url`, '"'), JSONExtractString(`mat_$current_url`), if(`mat_$current_url` = 'null', '', `mat_$current_url`)) != '') AS urls,
  count() AS event_count,
  countIf(event = '$pageview') AS pageview_count,
  countIf(event = '$autocapture') AS autocapture_count,
  countIf(event = '$screen') AS screen_count
FROM events
WHERE match(`$session_id`, '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-7[0-9a-fA-F]{3}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$')
GROUP BY team_id, session_hour, session_id;

CREATE VIEW IF NOT EXISTS sessions AS
SELECT
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
GROUP BY team_id, session_hour, session_id;

