-- What has been applied, and when. Every machine of the cluster holds a copy, whichever shard it serves.
CREATE TABLE IF NOT EXISTS store_migrations ON CLUSTER '{cluster}'
(
    name String,
    applied_at DateTime64(3, 'UTC')
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/all/{database}/store_migrations', '{shard}-{replica}', applied_at)
ORDER BY name;
