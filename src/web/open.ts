// The built app, or the way to it: a build that is missing or old is made when the first page is asked for, so that
// neither the start of the program nor anyone who only speaks to the API waits for it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Logger } from '../platform/logger.ts';
import { type DrawDashboard, loadDrawing } from './drawing.ts';
import { readFiles, type WebFiles } from './files.ts';
import { findBuild } from './find-build.ts';
import { hasSources, REPOSITORY } from './sources.ts';

export interface Web {
  /** The files, if there is a build; otherwise one is begun, and this says so or why not. */
  look(): WebFiles | 'being built' | 'cannot be built';
  /** What draws dashboards on the server, once there is a build. */
  loadDrawing(): Promise<DrawDashboard | undefined>;
  close(): void;
}

const BUILD_PROGRAM = join(import.meta.dirname, 'build.ts');

export function openWeb(dataFolder: string, log: Logger): Web {
  // The first comes with an installation; the program itself writes below its data folder only.
  const own = join(dataFolder, 'web');
  const folders = [join(REPOSITORY, 'web', 'dist'), own];
  let state: ReturnType<Web['look']> | undefined;
  let stopBuild = () => {};
  let folder: string | undefined;

  function begin(): ReturnType<Web['look']> {
    folder = findBuild(folders);
    if (folder) return readFiles(folder);
    if (!hasSources()) return 'cannot be built';
    log.info('building the web app');
    stopBuild = buildAside(own, (fault) => {
      if (fault !== undefined) log.error({ fault }, 'the web app could not be built');
      if (fault === undefined) folder = own;
      state = fault === undefined ? readFiles(own) : 'cannot be built';
    });
    return 'being built';
  }

  return {
    look() {
      state ??= begin();
      return state;
    },
    loadDrawing: async () => (folder ? loadDrawing(folder) : undefined),
    close: () => stopBuild(),
  };
}

/** Runs the build in a process of its own; tells of its end, with what it complained about if it failed. */
function buildAside(folder: string, onEnd: (fault?: string) => void): () => void {
  const child = spawn(process.execPath, [BUILD_PROGRAM, folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-4_000);
  });
  child.on('error', (error) => onEnd(error.message));
  child.on('exit', (code) => onEnd(code === 0 ? undefined : complaint || `exit code ${code}`));
  return () => void child.kill();
}
