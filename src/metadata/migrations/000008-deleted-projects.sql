-- Projects that were deleted and whose events and people are still to be removed. A trigger, because a project also goes
-- with its organization.
create table deleted_project (
  id integer primary key,
  deleted_at timestamptz not null default clock_timestamp(),
  -- Null as long as something of it is left.
  forgotten_at timestamptz
);
create index deleted_project_left on deleted_project (deleted_at) where forgotten_at is null;

create function remember_deleted_project() returns trigger language plpgsql as $$
begin
  insert into deleted_project (id) values (old.id);
  return old;
end
$$;
create trigger project_deleted after delete on project for each row execute function remember_deleted_project();
