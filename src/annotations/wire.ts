// Public shapes of annotations. The only file that knows them.
import { z } from 'zod';
import { bool, choice, datetime, integer, nullable, optional, text } from '../http/fields.ts';
import type { AccountRow } from '../metadata/tables.ts';
import type { AnnotationRow } from '../metadata/tables-query.ts';
import { pagedOf, toUserBasic, UserBasic } from '../projects/wire.ts';
import type { Subjects } from './sql.ts';

export const SCOPES = ['dashboard_item', 'dashboard', 'project', 'organization'] as const;

export const Annotation = z.strictObject({
  id: z.int(),
  content: z.string().nullable(),
  date_marker: z.string().nullable(),
  creation_type: z.enum(['USR', 'GIT']),
  dashboard_item: z.int().nullable(),
  dashboard_id: z.int().nullable(),
  dashboard_name: z.string().nullable(),
  insight_short_id: z.string().nullable(),
  insight_name: z.string().nullable(),
  insight_derived_name: z.string().nullable(),
  created_by: UserBasic.nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted: z.boolean(),
  scope: z.enum(SCOPES),
});
export const AnnotationPage = pagedOf(Annotation);

export const AnnotationDraft = z.object({
  content: optional(nullable(text({ max: 8_192, blank: true }))),
  date_marker: optional(nullable(datetime('The moment that it is about.'))),
  creation_type: optional(choice(['USR', 'GIT'])),
  dashboard_item: optional(nullable(integer({ about: 'The insight that it is about.' }))),
  dashboard_id: optional(nullable(integer({ about: 'The dashboard that it is about.' }))),
  deleted: optional(bool('True deletes the annotation.')),
  scope: optional(choice(SCOPES)),
});

export function toAnnotation(
  row: AnnotationRow,
  authors: ReadonlyMap<number, AccountRow>,
  { insights, dashboards }: Subjects,
): z.output<typeof Annotation> {
  const author = authors.get(row.created_by_id ?? 0);
  const insight = insights.get(row.insight_id ?? 0);
  return {
    id: row.id,
    content: row.content,
    date_marker: row.date_marker,
    creation_type: row.creation_type,
    dashboard_item: row.insight_id,
    dashboard_id: row.dashboard_id,
    dashboard_name: dashboards.get(row.dashboard_id ?? 0)?.name ?? null,
    insight_short_id: insight?.short_id ?? null,
    insight_name: insight?.name ?? null,
    insight_derived_name: insight?.derived_name ?? null,
    created_by: author ? toUserBasic(author) : null,
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted: row.deleted,
    scope: row.scope,
  };
}
