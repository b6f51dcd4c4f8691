// How the part of the app is built that the server runs (src/drawn/): one file, with everything that it needs.
import { defineConfig } from 'vite';
import { CSS_TARGET } from '../src/web/layout.ts';

export default defineConfig({
  base: '/web/',
  ssr: { noExternal: true },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: { ssr: 'src/drawn/draw-dashboard.tsx', copyPublicDir: false, minify: true, cssTarget: CSS_TARGET },
});
