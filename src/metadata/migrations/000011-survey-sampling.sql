-- The flag that lets only a part of the people be asked on each day, where answers are to be spread over many.
alter table survey
  add column internal_response_sampling_flag_id integer references feature_flag on delete set null;
