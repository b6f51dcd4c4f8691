// Questions as the API writes them: query nodes.

/** Any node; those of one kind are narrowed by their `kind`. */
export interface QueryNode {
  kind: string;
  source?: QueryNode;
  [field: string]: unknown;
}
