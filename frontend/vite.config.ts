// Builds the page into the Python package; `npm run dev` serves it with the game server behind a proxy.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// The one thing used of Node; its full types would leak into the page's code.
declare const process: { env: Record<string, string | undefined> };

const server = process.env['FLAGFALL_SERVER'] ?? 'http://127.0.0.1:8765';

export default defineConfig({
  plugins: [svelte()],
  base: '/',
  build: {
    outDir: process.env['OUT_DIR'] ?? '../src/flagfall/server/static',
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    sourcemap: false,
    // The server forbids inline script and style and data: addresses, so nothing is folded into the document.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': { target: server, changeOrigin: true },
      '/ws': { target: server, ws: true, changeOrigin: true },
    },
  },
  ...(process.env['VITEST'] ? { resolve: { conditions: ['browser'] } } : {}),
  test: { environment: 'jsdom', include: ['src/**/*.test.ts'], passWithNoTests: true },
});
