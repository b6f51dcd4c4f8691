import type { Destination } from './destination.ts';

/** Nowhere: for trying out schedules and selections. */
export const noOpDestination: Destination = {
  type: 'NoOp',
  models: ['events', 'persons', 'sessions'],
  fields: { arg: { type: 'str', fallback: '' } },
  ship: async ({ total }) => ({ records: total, bytes: 0 }),
  tests: [],
};
