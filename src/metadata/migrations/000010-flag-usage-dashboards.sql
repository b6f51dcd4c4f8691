-- The dashboard that was made to show how a flag is used.
create table flag_usage_dashboard (
  flag_id integer primary key references feature_flag (id) on delete cascade,
  dashboard_id integer not null unique references dashboard (id) on delete cascade
);
