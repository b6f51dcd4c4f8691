// One program and one browser for all the test files of a process; each file works in a project of its own.
import { after } from 'node:test';
import { projectOf, startWebApp, type WebApp, type WebProject } from './web-app.ts';

let shared: Promise<WebApp> | undefined;
after(async () => (await shared)?.[Symbol.asyncDispose]());

export function shareWebApp(): Promise<WebApp> {
  shared ??= startWebApp();
  return shared;
}

export async function openProject(name: string): Promise<WebProject> {
  const app = await shareWebApp();
  const [{ id: organization }] = (await app.send('GET', '/api/organizations/')).results;
  const { id, api_token } = await app.send('POST', `/api/organizations/${organization}/projects/`, { name });
  return projectOf(app, id, api_token);
}
