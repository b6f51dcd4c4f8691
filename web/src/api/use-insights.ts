// Insights as objects: saved questions, with whatever was last answered.
import type { QueryNode } from '../query/nodes.ts';

export interface Insight {
  id: number;
  short_id: string;
  name: string | null;
  derived_name: string | null;
  description: string | null;
  query: QueryNode | null;
  dashboards: number[];
  tags: string[];
  saved: boolean;
  favorited: boolean;
  created_at: string;
  last_modified_at: string;
  result: unknown;
  columns: string[] | null;
  types: unknown[] | null;
  hasMore: boolean | null;
  last_refresh: string | null;
  is_cached: boolean;
  timezone: string | null;
}
