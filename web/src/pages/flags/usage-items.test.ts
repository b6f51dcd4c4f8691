import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usageItems } from './usage-items.ts';

test('usage is told day by day, also of days on which nobody asked', () => {
  const asked = (response: string, calls: number) => ({ response, calls, persons: 1, last_called_at: '' });
  const [on, off] = usageItems({
    date_from: '2025-01-30T10:00:00.000Z',
    date_to: '2025-02-02T09:00:00.000Z',
    calls: 5,
    last_called_at: null,
    responses: [asked('true', 4), asked('false', 1)],
    days: [
      { day: '2025-01-31', response: 'true', calls: 3 },
      { day: '2025-02-02', response: 'true', calls: 1 },
      { day: '2025-01-31', response: 'false', calls: 1 },
    ],
  });

  assert.deepEqual(on?.labels, ['2025-01-30', '2025-01-31', '2025-02-01', '2025-02-02']);
  assert.deepEqual(
    [on?.data, off?.data],
    [
      [0, 3, 0, 1],
      [0, 1, 0, 0],
    ],
  );
});
