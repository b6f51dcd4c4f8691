// The flags in Unleash's words, for its SDK and for its server.
import { flagKeys, propertyOf, ROLLOUT_PERCENTAGE, VALUES, VARIANTS } from './definitions.ts';

export const strategyOf = (at: number) => ({
  name: 'flexibleRollout',
  parameters: { rollout: String(ROLLOUT_PERCENTAGE), stickiness: 'userId', groupId: flagKeys[at]! },
  constraints: [{ contextName: propertyOf(at), operator: 'IN', values: [...VALUES] }],
});

export const variants = VARIANTS.map((name) => ({
  name,
  weight: 1_000 / VARIANTS.length,
  weightType: 'variable',
  stickiness: 'userId',
}));
