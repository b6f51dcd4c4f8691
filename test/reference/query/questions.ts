// Parts of random questions about the projects of `dataset.ts`.
import type { Random } from '../../random.ts';
import { EVENT_NAMES } from './dataset.ts';

export const FILTERS = [
  { key: '$browser', type: 'event', operator: 'exact', value: ['Chrome', 'Firefox'] },
  { key: '$browser', type: 'event', operator: 'is_not', value: 'Chrome' },
  { key: 'plan', type: 'event', operator: 'icontains', value: 'PRO' },
  { key: 'amount', type: 'event', operator: 'gt', value: 2 },
  { key: '$odd', type: 'event', operator: 'is_set' },
  { key: 'age', type: 'person', operator: 'gte', value: 18 },
  { key: 'email', type: 'person', operator: 'not_icontains', value: 'ours.example' },
  { key: 'vip', type: 'person', operator: 'exact', value: true },
];

export const someFilters = (random: Random): unknown[] =>
  Array.from({ length: random.int(3) }, () => random.pick(FILTERS));

/** Most often the commonest event; null is all of them. */
export const someEvent = (random: Random): string | null =>
  random.chance(0.2) ? null : random.chance(0.6) ? '$pageview' : random.pick(EVENT_NAMES);
