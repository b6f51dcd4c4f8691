-- The place of the tables of queries; the file is written whole by whoever makes them.
select 1;
