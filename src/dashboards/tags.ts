// Tags of dashboards and insights: short texts, compared without case.
import { list, optional, text } from '../http/fields.ts';

export const TagsField = optional(list(text({ max: 255 }), 'Replaces the tags; an empty list removes them all.'));

/** Trimmed, in lower case, each once, in order. */
export const normalizeTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map((tag) => tag.trim().toLowerCase()))].sort();
