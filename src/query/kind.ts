// The contract between the endpoint, which finds, limits, caches and answers, and the kinds of queries, which know what
// is asked. A kind is one value of type `QueryKind`, listed in `kinds.ts`.
import type { Statement } from '../filters/ask.ts';
import type { BoundValues } from '../filters/bound-values.ts';
import type { Expression, Select } from './hogql/ast.ts';
import type { CompiledSelect, Given } from './hogql/compiled.ts';
import type { Table } from './result.ts';
import type { EventsSql } from './sql/events-sql.ts';

export interface QueryProject {
  readonly id: number;
  /** A name of the IANA time zone database. */
  readonly timezone: string;
  /** 0: weeks begin on Sunday; 1: on Monday. */
  readonly weekStartDay: 0 | 1;
  /** Filters as the wire has them, for queries with `filterTestAccounts`. */
  readonly testAccountFilters: readonly unknown[];
  /** `[{alias, regex}]`, for paths that ask for the project's own replacements. */
  readonly pathCleaningFilters: readonly unknown[];
}

export interface Cohort {
  readonly id: number;
  readonly name: string;
}

export interface CohortPeople {
  readonly cohorts: readonly number[];
  readonly persons: readonly string[];
}

/** One way in which an event can belong to an action; every part that is given must hold. */
export interface ActionStep {
  readonly event?: string | null;
  readonly url?: string | null;
  readonly url_matching?: 'contains' | 'regex' | 'exact' | null;
  readonly selector?: string | null;
  readonly tag_name?: string | null;
  readonly text?: string | null;
  readonly text_matching?: 'contains' | 'regex' | 'exact' | null;
  readonly href?: string | null;
  readonly href_matching?: 'contains' | 'regex' | 'exact' | null;
  readonly properties?: unknown;
}

export interface Action {
  readonly id: number;
  readonly name: string;
  readonly steps: readonly ActionStep[];
}

/** What a query may use to answer: one project, one moment, one way to ask the engine. */
export interface QueryContext {
  readonly project: QueryProject;
  /** Milliseconds; the one "now" of the whole query. */
  readonly now: number;
  /** The caller left, or cancelled the run: whatever is not asked yet need not be. `ask` knows it by itself. */
  readonly signal: AbortSignal;
  /**
   * The rows of the answer; 64-bit numbers come as numbers. Limits of time, memory and rows, the project's share of the
   * engine and cancellation are seen to. A parameter may be a promise (see `cohortMembers`): it is awaited first.
   */
  ask<Row>(statement: Statement): Promise<Row[]>;
  /** The same as a table: rows as lists, with the names and types of their columns. */
  askTable(statement: Statement): Promise<Table>;
  /** A whole SELECT of HogQL as SQL, without its outermost limit; for kinds that are made of such texts or trees. */
  select(query: string | Select, given?: Given): Promise<CompiledSelect>;
  /** The trees of expressions of HogQL. */
  parse(texts: readonly string[]): Promise<Expression[]>;
  /**
   * A statement's view of the project's events: the way to every column, property, person and filter, and to the `FROM`
   * with the joins that those need. A new one for each statement, or the given `bound` goes on counting.
   */
  events(bound?: BoundValues): EventsSql;
  /** The live action with this id; throws a 400 that names it when there is none. */
  action(id: number): Action;
  /** By its id or its name. Rejects with a 400 when there is no such cohort. */
  cohort(ref: number | string): Promise<Cohort>;
  /** The uuids of the persons who are in it now, to be bound as `Array(UUID)`. */
  cohortMembers(ref: number | string): Promise<string[]>;
  /** Who is in which of the cohorts that are counted, or of those that people were put into by name; in the same order. */
  cohortPeople(isStatic: boolean): Promise<CohortPeople>;
  /** Milliseconds; when the project's first event happened, for ranges that begin with `all`. `now` without any event. */
  earliest(): Promise<number>;
  /** What the engine has been asked so far. */
  readonly asked: readonly Statement[];
}

/** What a kind answers with: `results`, and whatever else spec 3.8 puts beside it (`hasMore`, `columns`, `types` …). */
export interface QueryResult {
  readonly results: unknown;
  readonly hasMore?: boolean;
  readonly resolved_date_range?: { readonly date_from: string; readonly date_to: string };
  readonly [field: string]: unknown;
}

/** Who is behind a point of a chart. */
export interface ActorsSql {
  /** A `SELECT` with the columns `actor_id` (the person's UUID, or a group's key) and `event_count`; no order, no limit. */
  readonly text: string;
  /** The values of that text; the endpoint goes on binding its own. */
  readonly bound: BoundValues;
  /** Undefined: actors are persons. */
  readonly groupTypeIndex?: number | undefined;
}

/** One kind of query: reads its JSON, asks, and shapes the answer exactly as the wire has it. */
export interface QueryKind<Query = unknown> {
  /** The exact name, such as `TrendsQuery`. */
  readonly kind: string;
  /** Judges the node; throws the wire's 400 when it is not one (`readNode` in `nodes.ts` helps). Pure and cheap. */
  read(json: unknown): Query;
  run(context: QueryContext, query: Query): Promise<QueryResult>;
  /**
   * The actors behind one point of the chart. `point` is the JSON around the source: `day`, `series`, `breakdown`,
   * `status`, `compare` of an InsightActorsQuery; `funnelStep`, `funnelStepBreakdown` of a FunnelsActorsQuery, …
   */
  actors?(context: QueryContext, query: Query, point: Readonly<Record<string, unknown>>): Promise<ActorsSql>;
}
