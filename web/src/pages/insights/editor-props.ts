import type { InsightQuery } from '../../query/nodes.ts';

/** Every part of the editor takes the whole question and gives it back changed. */
export interface EditorProps {
  query: InsightQuery;
  onChange: (query: InsightQuery) => void;
}
