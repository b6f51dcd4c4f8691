// The same flags and people for the evaluators of two other products, in the words that each has for them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GrowthBookClient } from '@growthbook/growthbook';
import { Unleash } from 'unleash-client';
import {
  distinctIdOf,
  hasVariants,
  flagKeys as keys,
  PERSONS,
  propertiesOf,
  propertyOf,
  ROLLOUT_PERCENTAGE,
  VALUES,
  VARIANTS,
} from './definitions.ts';
import { strategyOf, variants } from './unleash-flags.ts';

const ROUNDS = 3;

/** The most persons a second, of several rounds over all flags. */
export function mostPersons(evaluate: (person: number) => void, persons: number): number {
  let most = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const begunAt = performance.now();
    for (let person = 0; person < persons; person += 1) evaluate(person);
    most = Math.max(most, persons / ((performance.now() - begunAt) / 1_000));
  }
  return most;
}

export function evaluateByGrowthBook(): number {
  const share = ROLLOUT_PERCENTAGE / 100;
  const rule = (at: number) =>
    hasVariants(at)
      ? { variations: [...VARIANTS], coverage: share, weights: VARIANTS.map(() => 1 / VARIANTS.length) }
      : { force: true, coverage: share };
  const features = Object.fromEntries(
    keys.map((key, at) => {
      const condition = { [propertyOf(at)]: { $in: [...VALUES] } };
      return [key, { defaultValue: false, rules: [{ condition, hashAttribute: 'id', ...rule(at) }] }];
    }),
  );
  const client = new GrowthBookClient().initSync({ payload: { features } });
  return mostPersons((person) => {
    const user = { attributes: { id: distinctIdOf(person), ...propertiesOf(person) } };
    for (const key of keys) client.evalFeature(key, user);
  }, PERSONS);
}

export async function evaluateByUnleash(): Promise<number> {
  const backupPath = await mkdtemp(join(tmpdir(), 'tenrec-bench-'));
  const data = keys.map((name, at) => ({
    name,
    type: 'release',
    enabled: true,
    stale: false,
    project: 'default',
    impressionData: false,
    variants: hasVariants(at) ? variants : [],
    strategies: [strategyOf(at)],
  }));
  const unleash = new Unleash({
    appName: 'bench',
    // Nobody listens there: what it has been given is all that it gets.
    url: 'http://127.0.0.1:1/api/',
    refreshInterval: 0,
    disableMetrics: true,
    disableAutoStart: true,
    backupPath,
    bootstrap: { data: data as never },
  });
  const ignore = () => {};
  unleash.on('error', ignore).on('warn', ignore);
  await unleash.start();
  try {
    return mostPersons((person) => {
      const context = { userId: distinctIdOf(person), properties: propertiesOf(person) as Record<string, string> };
      keys.forEach((key, at) => {
        if (hasVariants(at)) unleash.getVariant(key, context);
        else unleash.isEnabled(key, context);
      });
    }, PERSONS);
  } finally {
    unleash.destroy();
    await rm(backupPath, { recursive: true, force: true });
  }
}
