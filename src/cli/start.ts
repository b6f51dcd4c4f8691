// `tenrec start`: the program in the foreground, from its banner to the end of its last engine.
import type { Config } from '../config.ts';
import type { Logger } from '../platform/logger.ts';
import type { FirstStart } from '../projects/bootstrap.ts';
import { type Answer, type Call, type Command, command } from './command.ts';
import { keepCompiled } from './compile-cache.ts';
import { requireFreePort } from './port.ts';
import { type Progress, showProgress } from './progress.ts';
import { waitForStop } from './signals.ts';

/** How long a graceful stop may take; with what comes before and after, the process is gone within 10 s. */
const STOP_MS_MAX = 9_000;

export const commands: Command[] = [
  command({
    name: 'start',
    summary: 'Run Tenrec in the foreground until it is told to stop.',
    about:
      'Prints its address, and on the very first start the project key, a personal API key and the sign-in, each once. ' +
      'SIGTERM or Ctrl-C stops it gracefully within 10 seconds; a second Ctrl-C at once. ' +
      'Everything is configured by environment variables.',
    run: start,
  }),
];

async function start(call: Call): Promise<undefined> {
  const config = call.readConfig();
  const log = await call.openLog(config);
  const stop = waitForStop();
  void stop.then(() => setTimeout(() => giveUp(log), STOP_MS_MAX).unref());
  // A taken port is found out before the slow steps, and before a first start makes up passwords it could not show.
  await requireFreePort(config);
  const progress = showProgress(call.terminal.stderr);
  const tenrec = await begin(config, log, progress);
  call.show(welcome(tenrec, config, progress));

  const signal = await stop;
  log.info({ signal }, 'stopping');
  await tenrec.close();
  log.info('stopped');
  // Everything is closed; a forgotten timer or socket must not hold the process.
  process.exit(0);
}

/** The engines notice that the process is gone and end by themselves. */
function giveUp(log: Logger): never {
  log.error(`still not stopped after ${STOP_MS_MAX / 1000} s; ending at once`);
  process.exit(1);
}

async function begin(config: Config, log: Logger, progress: Progress) {
  try {
    progress.begin('loading the program');
    const compiled = keepCompiled(config.TENREC_DATA);
    const { startTenrec } = await import('../main.ts');
    const tenrec = await startTenrec(config, log, (step) => progress.begin(step));
    compiled.save();
    return tenrec;
  } finally {
    progress.end();
  }
}

interface Started {
  address: string;
  firstStart: FirstStart | undefined;
}

function welcome({ address, firstStart }: Started, config: Config, { steps }: Progress): Answer {
  const first = firstStart && hideGiven(firstStart, config);
  const ms = steps.reduce((sum, step) => sum + step.ms, 0);
  const lines = [`Tenrec is ready at ${address} (${(ms / 1000).toFixed(1)} s)`];
  if (first) {
    const as = (value: string | null, variable: string) => value ?? `as given in ${variable}`;
    lines.push(
      '',
      'This is the first start. These are shown only now; keep them:',
      `  project key       ${first.project_token}`,
      `  personal API key  ${as(first.personal_api_key, 'TENREC_BOOTSTRAP_PERSONAL_API_KEY')}`,
      `  sign-in           ${first.email}`,
      `  password          ${as(first.password, 'TENREC_BOOTSTRAP_PASSWORD')}`,
      '',
      `What to do first: ${address}/`,
    );
  }
  return { text: lines.join('\n'), data: { address, pid: process.pid, first_start: first ?? null, steps } };
}

/** Secrets that came from the environment are known to whoever set them, and have no business in a log. */
function hideGiven({ email, password, projectToken, personalApiKey }: FirstStart, config: Config) {
  return {
    email,
    password: config.TENREC_BOOTSTRAP_PASSWORD ? null : password,
    project_token: projectToken,
    personal_api_key: config.TENREC_BOOTSTRAP_PERSONAL_API_KEY ? null : personalApiKey,
  };
}
