// `tenrec doctor`: looks at everything the program stands on, and says how to mend what is broken.
import type { Config } from '../config.ts';
import type { Logger } from '../platform/logger.ts';
import type { Check, Finding, State } from './checks/check.ts';
import { diskCheck, folderCheck } from './checks/folder.ts';
import { clockCheck, nodeCheck, portCheck } from './checks/machine.ts';
import { choosePlace, clickhouseChecks, postgresChecks } from './checks/services.ts';
import { type Answer, type Call, type Command, command } from './command.ts';
import { explainFailure } from './exit.ts';
import { quietly } from './log.ts';

export const commands: Command[] = [
  command({
    name: 'doctor',
    summary: 'Check the machine, the data folder and the services, and say how to mend each.',
    about:
      'Safe at any time: a running Tenrec is asked, a stopped one has its engines started for a moment, and before the ' +
      'first start they are tried in a temporary folder.',
    run: async (call) => report(await examine(call)),
  }),
];

type Result = Finding & { name: string };

async function examine({ readConfig, openLog }: Call): Promise<Result[]> {
  let config: Config;
  try {
    config = quietly(readConfig());
  } catch (error) {
    // Without a configuration there is nothing else to look at.
    return explainFailure(error)
      .message.split('\n')
      .map((mistake) => configurationProblem(mistake));
  }
  const results: Result[] = [];
  const { TENREC_DATA } = config;
  for (const check of [
    nodeCheck(),
    clockCheck(),
    folderCheck(TENREC_DATA),
    diskCheck(TENREC_DATA),
    portCheck(config),
  ]) {
    results.push(await look(check));
  }
  return [...results, ...(await examineServices(config, await openLog(config)))];
}

async function examineServices(config: Config, log: Logger): Promise<Result[]> {
  const results: Result[] = [];
  try {
    await using place = await choosePlace(config);
    for (const checks of [postgresChecks(config, place, log), clickhouseChecks(config, place, log)]) {
      for (const check of checks) {
        const result = await look(check);
        results.push(result);
        // What cannot be opened cannot be asked anything else; one line about it is enough.
        if (result.state === 'problem') break;
      }
    }
  } catch (error) {
    const { message } = explainFailure(error);
    results.push({ name: 'services', state: 'problem', found: message, mend: 'Mend the data folder, then ask again.' });
  }
  return results;
}

async function look(check: Check): Promise<Result> {
  try {
    return { name: check.name, ...(await check.look()) };
  } catch (error) {
    const { message } = error as Error;
    return { name: check.name, state: 'problem', found: message, mend: 'Mend what the message names, then ask again.' };
  }
}

const configurationProblem = (mistake: string): Result => ({
  name: 'configuration',
  state: 'problem',
  found: mistake,
  mend: 'Set the variable right; see: tenrec start --help',
});

export function report(results: readonly Result[]): Answer {
  const count = (wanted: State) => results.filter(({ state }) => state === wanted).length;
  const problems = count('problem');
  const nameWidth = Math.max(...results.map(({ name }) => name.length));
  const lines = results.flatMap(({ name, state, found, mend }) => [
    `${state.padEnd(7)}  ${name.padEnd(nameWidth)}  ${found.trimEnd()}`,
    ...(mend ? [`${' '.repeat(7)}  ${' '.repeat(nameWidth)}  → ${mend}`] : []),
  ]);
  const summary = summarize(problems, count('warning'));
  return {
    text: [...lines, '', summary].join('\n'),
    data: {
      ok: problems === 0,
      checks: results.map(({ name, state, found, mend }) => ({ name, state, found, mend: mend ?? null })),
    },
    exit: problems === 0 ? 0 : 1,
  };
}

function summarize(problems: number, warnings: number): string {
  if (problems > 0) return `${problems} ${problems === 1 ? 'problem' : 'problems'} to mend.`;
  return warnings > 0 ? `No problem, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.` : 'All is well.';
}
