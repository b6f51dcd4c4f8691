// How the app is built, and how it is served while one works on it: `npx vite web`, beside a program on port 8000.

import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const PROGRAM = 'http://127.0.0.1:8000';
/** What the program answers itself; everything else is the app. */
const PROGRAM_PATHS = ['/api', '/capture', '/batch', '/e', '/flags', '/decide', '/static', '/shared', '/embedded'];

export default defineConfig(({ command }) => ({
  plugins: [react()],
  // Files of the app live below one path, so that no page and no endpoint can ever be mistaken for them.
  base: command === 'build' ? '/web/' : '/',
  build: {
    target: 'es2023',
    // From these on, browsers know `light-dark()`; for older ones it would be rewritten into something that needs more.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
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
