import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesAhead, linksAhead } from './ahead.ts';
import type { WebFiles } from './files.ts';

const manifest = {
  'src/shell/Shell.tsx': { file: 'assets/Shell-1.js', imports: ['_kit.js'], css: ['assets/Shell-1.css'] },
  '_kit.js': { file: 'assets/kit-1.js' },
  '_pickers.js': { file: 'assets/pickers-1.js' },
  'index.html': { file: 'assets/index-1.js', imports: ['_kit.js'] },
  'src/pages/dashboards/DashboardPage.tsx': { file: 'assets/Page-1.js', imports: ['_pickers.js', '_kit.js'] },
};
const files: WebFiles = new Map([
  ['manifest.json', { type: 'application/json', bytes: Buffer.from(JSON.stringify(manifest)), encoded: {} }],
]);
const addresses = (path: string) => [...linksAhead(files, path).matchAll(/href="([^"]+)"/g)].map(([, href]) => href);

test('a dashboard names the code that it needs beside what every page names', () => {
  assert.deepEqual(addresses('/project/7/dashboards/12'), [
    '/web/assets/Shell-1.css',
    '/web/assets/Shell-1.js',
    '/web/assets/Page-1.js',
    '/web/assets/pickers-1.js',
  ]);
});

test('a dashboard comes with who is there and what is on it', () => {
  assert.deepEqual(addressesAhead('/project/7/dashboards/12'), ['/api/users/@me/', '/api/projects/7/dashboards/12/']);
});

test('whoever signs in is told of nothing that only others may see', () => {
  assert.equal(linksAhead(files, '/login'), '');
  assert.deepEqual(addressesAhead('/login'), []);
});

test('nothing of an address becomes markup', () => {
  assert.doesNotMatch(linksAhead(files, '/project/1"><script>/dashboards/2'), /script>/);
});
