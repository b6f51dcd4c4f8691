// A dashboard drawn by the app's own code, which is built for the server beside what is served (web/src/drawn/).
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DRAWING } from './layout.ts';

/** Answers of the API go in as they are; what comes out has no scripts and no styles in it. */
export type DrawDashboard = (given: {
  projectId: number;
  me: unknown;
  dashboard: unknown;
  locale: string | undefined;
}) => { markup: string; style: string };

/** From this build; undefined for one without it. */
export async function loadDrawing(folder: string): Promise<DrawDashboard | undefined> {
  const file = join(folder, DRAWING);
  if (!existsSync(file)) return undefined;
  const { drawDashboard } = await import(pathToFileURL(file).href);
  return drawDashboard;
}

/** The language that the reader's browser asks for first, if it is one. */
export function readLocale(acceptLanguage: string | string[] | undefined): string | undefined {
  const [first = ''] = String(acceptLanguage ?? '').split(/[,;]/, 1);
  try {
    return Intl.getCanonicalLocales(first.trim())[0];
  } catch {
    return undefined;
  }
}
