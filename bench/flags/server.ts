// A server in a process of its own: ours with its flags and people, Node's own that answers as many bytes, or Unleash's.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFlagsApp } from '../../test/journeys/flags-app.ts';
import { distinctIdOf, flagFilters, flagKeys, PERSONS, propertiesOf } from './definitions.ts';
import { startUnleash } from './unleash-server.ts';

export interface Started {
  url: string;
  token: string;
  close(): Promise<void>;
}

async function startOurs(): Promise<Started> {
  const app = await startFlagsApp();
  for (const [at, key] of flagKeys.entries()) await app.addFlag(key, flagFilters(at));
  const persons = Array.from({ length: PERSONS }, (_, at) => ({ at, uuid: crypto.randomUUID() }));
  const team_id = app.project.id;
  for (let from = 0; from < PERSONS; from += 1_000) {
    const some = persons.slice(from, from + 1_000);
    const created_at = new Date().toISOString();
    await app.db
      .insertInto('person')
      .values(
        some.map(({ at, uuid }) => ({
          team_id,
          uuid,
          created_at,
          is_identified: true,
          version: 0,
          properties: JSON.stringify(propertiesOf(at)),
        })),
      )
      .execute();
    await app.db
      .insertInto('person_distinct_id')
      .values(some.map(({ at, uuid }) => ({ team_id, distinct_id: distinctIdOf(at), person_uuid: uuid, version: 0 })))
      .execute();
  }
  await app.pool.query('analyze');
  return { url: app.url, token: app.token, close: () => app[Symbol.asyncDispose]() };
}

async function startBare(bytes: number): Promise<Started> {
  const body = JSON.stringify({ x: 'x'.repeat(Math.max(0, bytes - 8)) });
  const headers = { 'content-length': Buffer.byteLength(body), 'content-type': 'application/json' };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString());
      response.writeHead(200, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: '',
    close: async () => void server.closeAllConnections(),
  };
}

const START: Readonly<Record<string, (given: string) => Promise<Started>>> = {
  ours: startOurs,
  bare: (answerBytes) => startBare(Number(answerBytes)),
  unleash: startUnleash,
};

const [kind = '', given = ''] = process.argv.slice(2);
const { close, ...told } = await START[kind]!(given);
process.on('disconnect', () => void close().finally(() => process.exit(0)));
process.send!(told);
