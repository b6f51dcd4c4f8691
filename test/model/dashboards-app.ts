// A whole app with the people that tests of dashboards need, and short words for asking as one of them.
import assert from 'node:assert/strict';
import { type Answer, type Ask, startTestApp } from '../app.ts';

export type Who = 'owner' | 'admin' | 'ada' | 'bob' | 'outsider';
export type DashboardsApp = Awaited<ReturnType<typeof startDashboardsApp>>;

/** Ada and Bob are plain members; the outsider owns another organization. */
export async function startDashboardsApp() {
  const app = await startTestApp();
  const other = await app.addOrganization('Other');
  const users = {
    owner: app.owner,
    admin: await app.addUser('admin@example.com', 8),
    ada: await app.addUser('ada@example.com'),
    bob: await app.addUser('bob@example.com'),
    outsider: other.user,
  };
  const keys = {} as Record<Who, string>;
  for (const who of Object.keys(users) as Who[]) keys[who] = await app.addKey(users[who].id);
  const project = `/api/projects/${app.project.id}`;

  const ask = (who: Who, method: string, path: string, body?: unknown, given: Ask = {}): Promise<Answer> =>
    app.send(method, path.startsWith('/api/') ? path : project + path, { key: keys[who], body, ...given });

  /** Asks, expects that status, and returns the body. */
  const get = async (who: Who, method: string, path: string, body?: unknown, status?: number) => {
    const answer = await ask(who, method, path, body);
    const isExpected = status === undefined ? answer.status < 300 : answer.status === status;
    assert.ok(isExpected, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };

  return {
    app,
    other,
    users,
    keys,
    project,
    ask,
    get,
    /** A new dashboard of that person. */
    make: (who: Who, body: object = {}) => get(who, 'POST', '/dashboards/', body, 201),
    /** A new insight of that person, on these dashboards. */
    makeInsight: (who: Who, name: string, dashboards: number[] = []) =>
      get(who, 'POST', '/insights/', { name, query: { kind: 'TrendsQuery', series: [] }, dashboards }, 201),
    read: (who: Who, id: number) => get(who, 'GET', `/dashboards/${id}/`),
    /** What went wrong on the server, if anything did. */
    failures: () => app.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request failed'),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}
