// The real program, started as a person starts it, and everything that its API tells of what it stored. One for all the
// test files of a process; each works in a project of its own.
import { after } from 'node:test';
import { openTestDatabase, programOn } from '../db.ts';
import { KEY, type Program, startProgram, stopProgram, waitFor } from '../program.ts';
import { openTempFolder } from '../temp-folder.ts';

export interface StoredEvent {
  id: string;
  event: string;
  distinct_id: string;
  timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into properties of every shape
  properties: any;
  elements_chain: string;
  person: { is_identified: boolean } | null;
}

export interface StoredPerson {
  uuid: string;
  distinct_ids: string[];
  properties: Record<string, unknown>;
  is_identified: boolean;
}

export interface StoredGroup {
  group_key: string;
  group_properties: Record<string, unknown>;
}

/** How many events were accepted since the start, and what became of them. */
export interface Ingested {
  accepted: number;
  stored: number;
  dropped: Record<string, number>;
}

export type WholeProgram = Awaited<ReturnType<typeof openWholeProgram>>;

const SETTLED_MS_MAX = 30_000;
const EVENTS_MAX = 1_000;

const opened = new AsyncDisposableStack();
after(() => opened.disposeAsync());

let shared: Promise<Program> | undefined;

async function start(): Promise<Program> {
  const folder = opened.use(await openTempFolder());
  const database = opened.use(await openTestDatabase());
  const program = await startProgram({ data: folder.path, env: programOn(database) });
  opened.defer(async () => void (await stopProgram(program)));
  return program;
}

/** In a new project, which knows nothing of what others did. */
export async function openWholeProgram() {
  shared ??= start();
  const program = await shared;
  async function get(path: string, init: RequestInit = {}) {
    const response = await fetch(program.url + path, { ...init, headers: { authorization: `Bearer ${KEY}` } });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
    const body: any = await response.json();
    return { status: response.status, body };
  }
  async function read(path: string, query: Record<string, string> = {}) {
    const { status, body } = await get(`${here}${path}?${new URLSearchParams(query)}`);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  const { body: project } = await get('/api/projects/', {
    method: 'POST',
    body: new URLSearchParams({ name: 'SDKs' }),
  });
  const project_id: number = project.id;
  const here = `/api/projects/${project_id}`;

  /** Resolves when everything that was accepted has found its place, with the account of it. */
  const settled = (): Promise<Ingested> =>
    waitFor(
      async () => {
        const { totals } = await read('/ingestion/');
        return totals.waiting === 0 ? totals : undefined;
      },
      SETTLED_MS_MAX,
      () => `events are still waiting:\n${program.output()}`,
    );

  /** Oldest first; those of one moment in the order they were sent. */
  async function events(query: Record<string, string>): Promise<StoredEvent[]> {
    await settled();
    const { results, next } = await read('/events/', {
      ...query,
      orderBy: '["timestamp"]',
      limit: String(EVENTS_MAX),
    });
    if (next !== null) throw new Error(`there are more than ${EVENTS_MAX} such events`);
    return results;
  }

  return {
    url: program.url,
    token: project.api_token as string,
    key: KEY,
    project_id,
    get,
    settled,
    eventsOf: async (...ids: string[]) => (await Promise.all(ids.map((distinct_id) => events({ distinct_id })))).flat(),
    eventsNamed: (event: string) => events({ event }),
    eventsOfPerson: (person_id: string) => events({ person_id }),

    async personOf(distinct_id: string): Promise<StoredPerson | undefined> {
      await settled();
      return (await read('/persons/', { distinct_id })).results[0];
    },

    /** The number of the type, and the group if there is one. */
    async group(group_type: string, group_key: string): Promise<{ index: number; group: StoredGroup | undefined }> {
      await settled();
      const types: { group_type: string; group_type_index: number }[] = await read('/groups_types/');
      const index = types.find((type) => type.group_type === group_type)?.group_type_index;
      if (index === undefined) throw new Error(`there is no group type ${group_type}`);
      const { results } = await read('/groups/', { group_type_index: String(index), search: group_key });
      return { index, group: results[0] };
    },

    async warningTypes(): Promise<string[]> {
      await settled();
      const { results } = await read('/ingestion_warnings/');
      return results.map(({ type }: { type: string }) => type);
    },
  };
}
