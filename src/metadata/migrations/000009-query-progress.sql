-- What a run computes, so that the engine can be asked how far it is.
alter table query_run add column cache_key text;
