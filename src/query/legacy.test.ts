// Questions in their older form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromLegacy } from './legacy.ts';

test('an older question is the node that means the same', () => {
  assert.deepEqual(
    fromLegacy({
      insight: 'FUNNELS',
      events: [
        { id: 'b', order: 1 },
        { id: 'a', order: 0, properties: { plan: 'pro' } },
      ],
      actions: [{ id: '7', order: 2 }],
      funnel_window_interval: '3',
      date_from: '-30d',
      filter_test_accounts: 'true',
    }),
    {
      kind: 'FunnelsQuery',
      dateRange: { date_from: '-30d', date_to: null },
      series: [
        { kind: 'EventsNode', event: 'a', properties: [{ key: 'plan', value: 'pro', type: 'event' }] },
        { kind: 'EventsNode', event: 'b' },
        { kind: 'ActionsNode', id: 7 },
      ],
      properties: [],
      filterTestAccounts: true,
      funnelsFilter: { funnelWindowInterval: 3 },
    },
  );
});

test('what a funnel excludes is excluded in its node as well', () => {
  const { funnelsFilter } = fromLegacy({
    insight: 'FUNNELS',
    events: [{ id: 'a' }, { id: 'b' }],
    exclusions: [
      { id: 'c', type: 'events', funnel_from_step: 0, funnel_to_step: 1 },
      { id: 7, type: 'actions', funnel_from_step: '0', funnel_to_step: '1' },
    ],
  });
  assert.deepEqual(funnelsFilter, {
    exclusions: [
      { kind: 'EventsNode', event: 'c', funnelFromStep: 0, funnelToStep: 1 },
      { kind: 'ActionsNode', id: 7, funnelFromStep: 0, funnelToStep: 1 },
    ],
  });
});

test('options that stood in an address are what they were', () => {
  const { retentionFilter } = fromLegacy({
    insight: 'RETENTION',
    target_entity: '{"id":"a","type":"events"}',
    total_intervals: '7',
    cumulative: 'false',
    time_window_mode: '24_hour_windows',
    retention_custom_brackets: '[1,2]',
  });
  assert.deepEqual(retentionFilter, {
    targetEntity: { id: 'a', type: 'events' },
    totalIntervals: 7,
    cumulative: false,
    timeWindowMode: '24_hour_windows',
    retentionCustomBrackets: [1, 2],
  });
  assert.throws(() => fromLegacy({ insight: 'RETENTION', target_entity: '{"id"' }), /target_entity is no JSON/);
});
