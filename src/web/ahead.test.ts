import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksAhead } from './ahead.ts';
import type { WebFiles } from './files.ts';

const manifest = {
  'src/shell/Shell.tsx': { file: 'assets/Shell-1.js', imports: ['_kit.js'], css: ['assets/Shell-1.css'] },
  'src/charts/EChart.tsx': { file: 'assets/EChart-1.js', imports: ['_kit.js'] },
  '_kit.js': { file: 'assets/kit-1.js' },
};
const files: WebFiles = new Map([
  ['manifest.json', { type: 'application/json', bytes: Buffer.from(JSON.stringify(manifest)), encoded: {} }],
]);
const addresses = (path: string) => [...linksAhead(files, path).matchAll(/href="([^"]+)"/g)].map(([, href]) => href);

test('a dashboard comes with the addresses of its data, its code and its charts, each once', () => {
  assert.deepEqual(addresses('/project/7/dashboards/12'), [
    '/api/users/@me/',
    '/api/projects/7/dashboards/12/',
    '/web/assets/Shell-1.css',
    '/web/assets/Shell-1.js',
    '/web/assets/kit-1.js',
    '/web/assets/EChart-1.js',
  ]);
});

test('whoever signs in is told of nothing that only others may see', () => {
  assert.equal(linksAhead(files, '/login'), '');
});

test('nothing of an address becomes markup', () => {
  assert.doesNotMatch(linksAhead(files, '/project/1"><script>/dashboards/2'), /script>/);
});
