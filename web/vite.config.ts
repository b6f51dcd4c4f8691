// How the app is built, and how it is served while one works on it: `npx vite web`, beside a program on port 8000.

import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { CSS_TARGET } from '../src/web/layout.ts';

const PROGRAM = 'http://127.0.0.1:8000';
/** What the program answers itself; everything else is the app. */
const PROGRAM_PATHS = ['/api', '/capture', '/batch', '/e', '/flags', '/decide', '/static', '/shared', '/embedded'];

/** What nearly every visit runs, and what draws its first chart. */
const RUN_AT_ONCE = new Set(['index', 'theme', 'kit', 'common', 'Shell', 'DashboardPage', 'EChart']);

/** What is asked with, and the parts of the kit that it is made of. */
const PICKERS = /web[\\/]src[\\/]pickers|@mantine[\\/]core[\\/].*[\\/](TagsInput|SegmentedControl|Textarea)[\\/]/;

/**
 * Tells browsers that understand it (https://github.com/WICG/explicit-javascript-compile-hints-file-based) to compile all
 * of a file while it is being loaded, aside of the page. Otherwise each function is compiled when it is first called, which
 * was a third of the time that a dashboard's scripts took on a first visit.
 */
const compileAtOnce: Plugin = {
  name: 'compile-at-once',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk' && RUN_AT_ONCE.has(file.name)) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
    }
  },
};

export default defineConfig(({ command }) => ({
  plugins: [react(), compileAtOnce],
  // Files of the app live below one path, so that no page and no endpoint can ever be mistaken for them.
  base: command === 'build' ? '/web/' : '/',
  build: {
    target: 'es2023',
    cssTarget: CSS_TARGET,
    // Inlined files would be `data:` addresses, which the policy of the pages does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The server tells the browser ahead what a page is going to need: src/web/ahead.ts.
    manifest: 'manifest.json',
    chunkSizeWarningLimit: 1500,
    // The app, and the page of what was shared.
    rolldownOptions: {
      input: ['index.html', 'shared.html'].map((name) => join(import.meta.dirname, name)),
      // Dozens of files of half a kilobyte cost more in headers and waiting than they weigh.
      // What nearly every page uses is one file, too; more than that would weigh on whoever only signs in.
      output: {
        codeSplitting: {
          groups: [
            { name: 'icons', test: /@tabler/, minShareCount: 2 },
            { name: 'kit', test: /node_modules[\\/]@(mantine|floating-ui|tanstack)/, minShareCount: 16 },
            { name: 'common', test: /web[\\/]src[\\/](api|ui|query)/, minShareCount: 3 },
            { name: 'pickers', test: PICKERS, minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(PROGRAM_PATHS.map((path) => [path, { target: PROGRAM, changeOrigin: true }])),
  },
}));
