// Static cohorts by query: the persons behind a point of a chart, or those whom somebody's own SQL finds.
import { invalid } from '../http/errors.ts';
import type { ProjectRow } from '../metadata/tables.ts';

type Query = Readonly<Record<string, unknown>>;

/** Asks a query now, as its endpoint would; `app.ts` says who answers. */
export type AskQuery = (project: ProjectRow, query: Query) => Promise<Readonly<Record<string, unknown>>>;

const PAGE_ROWS = 10_000;
const PERSONS_MAX = 1_000_000;
/** Where a query of one's own may have the persons, the likeliest first. */
const COLUMNS = ['person_id', 'actor_id', 'id'];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The uuids of the persons that a query finds, all of them, whatever page it asks for. */
export async function listPersonsByQuery(ask: AskQuery, project: ProjectRow, query: Query): Promise<string[]> {
  const pageOf = await pager(ask, project, query);
  const uuids = new Set<string>();
  for (let offset = 0; offset < PERSONS_MAX; offset += PAGE_ROWS) {
    const { results, hasMore } = await ask(project, pageOf(offset));
    for (const [id] of results as unknown[][]) uuids.add(readUuid(id));
    if (!hasMore) return [...uuids];
  }
  throw invalid(`A static cohort takes at most ${PERSONS_MAX} rows of a query.`, 'query');
}

async function pager(ask: AskQuery, project: ProjectRow, query: Query): Promise<(offset: number) => Query> {
  const { kind } = query;
  if (kind === 'HogQLQuery') {
    const column = await findColumn(ask, project, query);
    // The line break ends a comment at the end of the text.
    const text = String(query.query).trim().replace(/;$/, '');
    const sql = `select distinct toString(${column}) as id from (${text}\n) order by id limit ${PAGE_ROWS}`;
    return (offset) => ({ ...query, query: `${sql} offset ${offset}` });
  }
  if (typeof kind !== 'string' || !kind.endsWith('ActorsQuery')) {
    throw invalid('A static cohort is made of an ActorsQuery or a HogQLQuery.', 'query');
  }
  // The point of a chart may come as it is, or as the source of a list of its actors.
  const list: Query = kind === 'ActorsQuery' ? query : { kind: 'ActorsQuery', source: query };
  return (offset) => ({ ...list, select: ['id'], orderBy: ['id'], limit: PAGE_ROWS, offset });
}

async function findColumn(ask: AskQuery, project: ProjectRow, query: Query): Promise<string> {
  const { columns } = await ask(project, query);
  const found = COLUMNS.find((name) => (columns as string[]).includes(name));
  if (!found) throw invalid('Could not find a person_id, actor_id, or id column in the query', 'query');
  return found;
}

function readUuid(id: unknown): string {
  if (typeof id === 'string' && UUID.test(id)) return id;
  throw invalid(`A static cohort is made of persons, and "${String(id)}" is not the id of one.`, 'query');
}
