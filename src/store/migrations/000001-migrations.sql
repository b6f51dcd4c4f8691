-- What has been applied, and when. The tables of events come with the files after this one.
CREATE TABLE IF NOT EXISTS store_migrations
(
    name String,
    applied_at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(applied_at)
ORDER BY name;
