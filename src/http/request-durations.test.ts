import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Histogram, Registry } from 'prom-client';
import { requestMetrics } from './metrics.ts';
import { RequestDurations } from './request-durations.ts';

const REQUESTS = [
  ['POST', '/capture', 200, 0.0004],
  ['POST', '/capture', 200, 0.001],
  ['POST', '/capture', 401, 0.3],
  ['GET', '/capture', 200, 0.02],
  ['GET', '/api/projects/', 200, 11],
  ['POST', '/capture', 200, 2.5],
] as const;

test('durations are printed as the Prometheus library prints a histogram of them', async () => {
  const ours = new Registry();
  const theirs = new Registry();
  const metrics = requestMetrics(ours);
  const histogram = new Histogram({
    name: new RequestDurations().name,
    help: 'Time to answer a request, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [theirs],
  });
  for (const [method, route, status, seconds] of REQUESTS) {
    metrics.observe(method, route, status, seconds);
    histogram.observe({ method, route, status: String(status) }, seconds);
  }
  const lines = async (registry: Registry) => (await registry.metrics()).split('\n').map(sortLabels).sort();
  assert.deepEqual(await lines(ours), await lines(theirs));
});

/** Labels have no order. */
const sortLabels = (line: string): string =>
  line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort().join(',')}}`);
