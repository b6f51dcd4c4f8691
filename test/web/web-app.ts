// The whole program with its app, and a real browser in front of it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { buildWeb } from '../../src/web/build.ts';
import { findBuild } from '../../src/web/find-build.ts';
import { REPOSITORY } from '../../src/web/sources.ts';
import { openTestDatabase, programOn } from '../db.ts';
import { eventually } from '../eventually.ts';
import { openTempFolder } from '../temp-folder.ts';
import { startTenrec } from '../tenrec.ts';
import { openBrowser, SHORT_LIVED } from './browser.ts';

export const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };
export const PROJECT_KEY = 'phc_a_token_that_only_tests_would_use';
const API_KEY = 'phx_a_key_that_only_tests_would_ever_use';
const DIST = join(REPOSITORY, 'web', 'dist');

export type WebApp = Awaited<ReturnType<typeof startWebApp>>;

export async function startWebApp(browserFlags: readonly string[] = SHORT_LIVED) {
  if (!findBuild([DIST])) await buildWeb(DIST);
  const folder = await openTempFolder();
  const database = await openTestDatabase();
  const tenrec = await startTenrec({
    TENREC_DATA: folder.path,
    ...programOn(database),
    TENREC_BOOTSTRAP_EMAIL: OWNER.email,
    TENREC_BOOTSTRAP_PASSWORD: OWNER.password,
    TENREC_BOOTSTRAP_PROJECT_TOKEN: PROJECT_KEY,
    TENREC_BOOTSTRAP_PERSONAL_API_KEY: API_KEY,
    TENREC_LOG_LEVEL: 'warn',
  });
  const url = tenrec.address;
  const browser = await openBrowser(url, () => signIn(url, OWNER), browserFlags);

  async function send(method: string, path: string, body?: unknown) {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path} answered ${response.status}: ${text}`);
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
    return (text === '' ? undefined : JSON.parse(text)) as any;
  }

  return {
    url,
    /** Addresses of pages outside of projects are as they are. */
    page: (path: string) => path,
    /** With the owner's key. */
    send,
    visit: browser.visit,
    open: browser.open,
    /** The cookies of somebody, the owner unless told, for a profile of their own. */
    signIn: (credentials = OWNER) => signIn(url, credentials),
    /** Somebody of the same organization who may do no more than members may. */
    async addMember(email: string) {
      const [{ id: organization }] = (await send('GET', '/api/organizations/')).results;
      const { id } = await send('POST', `/api/organizations/${organization}/invites/`, { target_email: email });
      const credentials = { email, password: 'a password of their own' };
      await send('POST', `/api/signup/${id}/`, { first_name: 'Mo', password: credentials.password });
      return credentials;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await tenrec[Symbol.asyncDispose]();
      await database.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function signIn(url: string, credentials: typeof OWNER) {
  const response = await fetch(`${url}/api/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  return response.headers.getSetCookie().map((cookie) => {
    const [name = '', value = ''] = (cookie.split(';', 1)[0] ?? '').split('=');
    const fixed = { domain: '127.0.0.1', path: '/', expires: -1, httpOnly: false, secure: false };
    return { name, value, ...fixed, sameSite: 'Lax' as const };
  });
}

export type WebProject = ReturnType<typeof projectOf>;

/** What tests do in one project; paths are below it. */
export function projectOf(app: WebApp, id: number, key: string) {
  const send: WebApp['send'] = (method, path, body) => app.send(method, `/api/projects/${id}${path}`, body);
  const page = (path: string) => `/project/${id}${path}`;
  return {
    app,
    id,
    key,
    /** The address of a page of it. */
    page,
    /** With the owner's key. */
    send,
    /** Sends events the way an SDK does. */
    capture: (batch: readonly object[]) => app.send('POST', '/batch/', { api_key: key, batch }),
    /** Waits until everything that was sent is stored or dropped. */
    settled: () =>
      eventually('every event has found its place', async () => {
        const { totals } = await send('GET', '/ingestion/');
        return totals.accepted > 0 && totals.waiting === 0;
      }),
    /** A page of it, for somebody who is signed in. */
    open: (path: string, look: Parameters<WebApp['open']>[1] = {}) => app.open(page(path), look),
  };
}
