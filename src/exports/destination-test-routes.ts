// Trying a destination before the first run: steps that a person can follow one by one. For people, not for keys.
import { ApiError, invalid } from '../http/errors.ts';
import { empty, projectRoute, type Route } from '../http/route.ts';
import type { BackfillParts } from './backfills/create.ts';
import { readDestination, storedConfig } from './change.ts';
import { withDefaults, withoutSecrets } from './destinations/config.ts';
import { type Config, type Destination, DestinationError } from './destinations/destination.ts';
import { loadExport } from './load.ts';
import { findDestination } from './runs/attempt.ts';
import { hiderOf, listSecrets } from './runs/failure.ts';
import { Step, StepList, TestOfNew, TestOfStored } from './wire.ts';

const STEP_MS_MAX = 60_000;

export function testRoutes(parts: BackfillParts): Route[] {
  return [
    projectRoute('GET', '/batch_exports/test/', {
      scope: null,
      summary: 'List the steps of testing a kind of destination',
      query: { destination: 'The type of destination.' },
      returns: StepList,
      handle({ query }) {
        const type = query.get('destination');
        if (!type) return empty(400);
        const steps = findDestination(parts.destinations, type)?.tests ?? [];
        if (steps.length === 0) return empty(404);
        return { steps: steps.map(({ name, description }) => ({ name, description, result: null })) };
      },
    }),

    projectRoute('POST', '/batch_exports/run_test_step_new/', {
      scope: null,
      summary: 'Try one step with a configuration that is not stored',
      body: TestOfNew,
      returns: Step,
      handle: ({ body }) =>
        runStep(parts, body.destination.type, body.step ?? 0, () =>
          readDestination(parts, body.destination, body.model ?? 'events'),
        ),
    }),

    projectRoute('POST', '/batch_exports/:id/run_test_step/', {
      scope: null,
      summary: 'Try one step with the stored configuration, and what is given instead',
      body: TestOfStored,
      returns: Step,
      load: loadExport(parts, 'id'),
      handle({ found, body }) {
        const stored = { type: found.destination_type, config: storedConfig(parts, found) };
        return runStep(parts, stored.type, body.step ?? 0, () =>
          readDestination(parts, body.destination ?? {}, found.model, stored),
        );
      },
    }),
  ];
}

type Read = () => { destination: Destination; config: Config };

async function runStep({ destinations }: BackfillParts, type: unknown, index: number, read: Read) {
  const steps = findDestination(destinations, String(type))?.tests ?? [];
  const step = steps[index];
  if (!step) throw invalid(`There is no step ${index} of testing ${String(type)}; it has ${steps.length}.`, 'step');
  const { name, description } = step;
  const failed = (message: string) => ({ name, description, result: { status: 'Failed', message } });
  let judged: ReturnType<Read>;
  try {
    judged = read();
  } catch (error) {
    // A person who has not filled in everything yet is told so; anything else in it is a mistake.
    if (error instanceof ApiError && error.message.startsWith('Configuration missing required field')) {
      return failed("The test step cannot run as it's not configured.");
    }
    throw error;
  }
  const { destination, config } = judged;
  try {
    await step.run(withDefaults(destination, config), AbortSignal.timeout(STEP_MS_MAX));
    return { name, description, result: { status: 'Passed', message: null } };
  } catch (error) {
    if (!(error instanceof DestinationError)) throw error;
    return failed(hiderOf(listSecrets(config, withoutSecrets(destination, config)))(error.message));
  }
}
