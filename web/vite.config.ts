// The page is built into the Python package, from where the server gives it out.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { notices } from './notices.ts'

export default defineConfig({
  plugins: [svelte(), notices('NOTICES.txt')],
  build: {
    outDir: '../src/casinowar/web/page',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // On a busy machine a build is slow, and nothing is wrong with it.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8080', ws: true } } },
  test: { environment: 'node', include: ['src/**/*.test.ts'] },
})
