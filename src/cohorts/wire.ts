// Public shapes of cohorts. The only file that knows them.
import { z } from 'zod';
import { bool, dict, nullable, optional, text } from '../http/fields.ts';
import type { AccountRow, CohortRow } from '../metadata/tables.ts';
import { pagedOf, toUserBasic, UserBasic } from '../projects/wire.ts';

const AnyObject = z.record(z.string(), z.unknown());

export const Cohort = z.strictObject({
  id: z.int(),
  name: z.string().nullable(),
  description: z.string(),
  groups: z.array(z.unknown()),
  deleted: z.boolean(),
  filters: AnyObject.nullable(),
  query: AnyObject.nullable(),
  is_calculating: z.boolean(),
  created_by: UserBasic.nullable(),
  created_at: z.string(),
  last_calculation: z.string().nullable(),
  errors_calculating: z.int(),
  count: z.int().nullable(),
  is_static: z.boolean(),
  experiment_set: z.array(z.int()),
});
export const CohortPage = pagedOf(Cohort);

const fields = {
  name: optional(nullable(text({ max: 400 }))),
  description: optional(text({ max: 1000, blank: true })),
  filters: optional(nullable(dict('`{"properties": {"type": "AND" or "OR", "values": […]}}`'))),
  csv: optional(text({ blank: true, about: 'Members of a static cohort: a distinct id at the start of each line.' })),
};

export const NewCohort = z.object({ ...fields, is_static: optional(bool()), query: optional(nullable(dict())) });
export const CohortChange = z.object({ ...fields, deleted: optional(bool()) });

export function toCohort(cohort: CohortRow, authors: ReadonlyMap<number, AccountRow>): z.output<typeof Cohort> {
  const author = authors.get(cohort.created_by_id ?? 0);
  return {
    id: cohort.id,
    name: cohort.name,
    description: cohort.description,
    groups: [],
    deleted: cohort.deleted,
    filters: cohort.filters,
    query: cohort.query,
    is_calculating: cohort.is_calculating,
    created_by: author ? toUserBasic(author) : null,
    created_at: cohort.created_at,
    last_calculation: cohort.last_calculation,
    errors_calculating: cohort.errors_calculating,
    count: cohort.count,
    is_static: cohort.is_static,
    experiment_set: [],
  };
}

/** The first column of every line that has one; quotes around it are not part of the id. */
export function readCsvIds(csv: string): string[] {
  const firsts = csv.split(/\r?\n/).map((line) => /^\s*(?:"((?:[^"]|"")*)"|([^,]*))/.exec(line));
  const ids = firsts.map((match) => (match?.[1]?.replaceAll('""', '"') ?? match?.[2] ?? '').trim());
  return [...new Set(ids.filter((id) => id !== '' && !id.includes('\0')))];
}
