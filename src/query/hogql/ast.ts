// The tree that the parser makes of a text, as far as it is understood here. A node that is not in this list is refused.

export interface Position {
  line: number;
  column: number;
  /** Characters from the beginning of the text. */
  offset: number;
}

interface Placed {
  start?: Position;
  end?: Position;
}

export interface Constant extends Placed {
  node: 'Constant';
  value?: string | number | boolean | null;
  /** `number`: the value is the text of one that JSON cannot hold. */
  value_type?: 'number';
}
export interface Field extends Placed {
  node: 'Field';
  chain: (string | number)[];
}
export interface Alias extends Placed {
  node: 'Alias';
  alias: string;
  expr: Expression;
}
export interface Call extends Placed {
  node: 'Call';
  name: string;
  args: Expression[];
  params?: Expression[] | null;
  distinct?: boolean | null;
  order_by?: OrderExpr[] | null;
  filter_expr?: Expression | null;
  within_group?: unknown;
}
export interface Arithmetic extends Placed {
  node: 'ArithmeticOperation';
  op: '+' | '-' | '*' | '/' | '%';
  left: Expression;
  right: Expression;
}
export interface Compare extends Placed {
  node: 'CompareOperation';
  op: string;
  left: Expression;
  right: Expression;
}
export interface Junction extends Placed {
  node: 'And' | 'Or';
  exprs: Expression[];
}
export interface Not extends Placed {
  node: 'Not';
  expr: Expression;
}
export interface Between extends Placed {
  node: 'BetweenExpr';
  expr: Expression;
  low: Expression;
  high: Expression;
  negated?: boolean;
}
export interface Lambda extends Placed {
  node: 'Lambda';
  args: string[];
  expr: Expression;
}
export interface Listing extends Placed {
  node: 'Array' | 'Tuple';
  exprs: Expression[];
}
export interface ArrayAccess extends Placed {
  node: 'ArrayAccess';
  array: Expression;
  property: Expression;
}
export interface TupleAccess extends Placed {
  node: 'TupleAccess';
  tuple: Expression;
  index: number;
}
export interface Placeholder extends Placed {
  node: 'Placeholder';
  expr: Expression;
}
export interface TypeCast extends Placed {
  node: 'TypeCast' | 'TryCast';
  expr: Expression;
  type_name: string;
}
export interface WindowFunction extends Placed {
  node: 'WindowFunction';
  name: string;
  /** Parameters, and then the arguments: the parser's names are the other way round. */
  args: Expression[];
  exprs: Expression[];
  over_expr?: WindowExpr | null;
  over_identifier?: string | null;
}
export interface WindowExpr extends Placed {
  node: 'WindowExpr';
  partition_by?: Expression[] | null;
  order_by?: OrderExpr[] | null;
  frame_method?: 'ROWS' | 'RANGE' | null;
  frame_start?: WindowFrame | null;
  frame_end?: WindowFrame | null;
}
export interface WindowFrame extends Placed {
  frame_type: 'CURRENT ROW' | 'PRECEDING' | 'FOLLOWING';
  frame_value?: number | null;
}
export interface OrderExpr extends Placed {
  node: 'OrderExpr';
  expr: Expression;
  order: 'ASC' | 'DESC';
  nulls?: 'FIRST' | 'LAST' | null;
  with_fill?: unknown;
}

export type Expression =
  | Constant
  | Field
  | Alias
  | Call
  | Arithmetic
  | Compare
  | Junction
  | Not
  | Between
  | Lambda
  | Listing
  | ArrayAccess
  | TupleAccess
  | Placeholder
  | TypeCast
  | WindowFunction
  | Select;

export interface JoinExpr extends Placed {
  node: 'JoinExpr';
  table: Field | Select | Placeholder | (Placed & { node: 'ValuesQuery' | 'PivotExpr' });
  table_args?: Expression[] | null;
  alias?: string | null;
  join_type?: string | null;
  constraint?: { constraint_type: 'ON' | 'USING'; expr: Expression } | null;
  next_join?: JoinExpr | null;
  sample?: { sample_value: Ratio; offset_value?: Ratio | null } | null;
  table_final?: boolean | null;
  column_aliases?: unknown;
}
export interface Ratio {
  left: Constant;
  right?: Constant | null;
}
export interface Cte extends Placed {
  name: string;
  cte_type: 'subquery' | 'column';
  expr: Expression;
  recursive?: boolean;
}
export interface SelectQuery extends Placed {
  node: 'SelectQuery';
  ctes?: Cte[] | null;
  distinct?: boolean | null;
  select: Expression[];
  select_from?: JoinExpr | null;
  array_join_op?: string | null;
  array_join_list?: Expression[] | null;
  prewhere?: Expression | null;
  where?: Expression | null;
  group_by?: Expression[] | null;
  group_by_mode?: string | null;
  having?: Expression | null;
  qualify?: Expression | null;
  window_exprs?: Record<string, WindowExpr> | null;
  order_by?: OrderExpr[] | null;
  limit?: Expression | null;
  limit_with_ties?: boolean | null;
  limit_by?: { n: Expression; offset_value?: Expression | null; exprs: Expression[] } | null;
  offset?: Expression | null;
}
export interface SelectSetQuery extends Placed {
  node: 'SelectSetQuery';
  initial_select_query: Select;
  subsequent_select_queries: { select_query: Select; set_operator: string }[];
}
export type Select = SelectQuery | SelectSetQuery;

export const isSelect = (node: { node: string }): node is Select =>
  node.node === 'SelectQuery' || node.node === 'SelectSetQuery';
