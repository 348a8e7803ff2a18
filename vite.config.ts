// How the app and the portal server are built, and the app served while it is worked on.
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { moments } from '#server/ops/build/moments.mjs'
import { pwa } from '#server/ops/build/pwa.mjs'

/** Where `npm run dev` has the portal server listen. */
const PORTAL = process.env['PORTAL_ORIGIN'] ?? 'http://127.0.0.1:8080'

const client: UserConfig = {
  plugins: [react(), tailwindcss(), pwa()],
  server: {
    proxy: Object.fromEntries(['/api', '/auth', '/rest', '/webhook'].map((path) => [path, PORTAL])),
  },
  build: {
    outDir: 'dist/client',
    // A data: address would need an exception in the content policy.
    assetsInlineLimit: 0,
    // Where a browser knows no modulepreload, the parts come a moment later all the same.
    modulePreload: { polyfill: false },
    // The limits of bytes are tests.
    chunkSizeWarningLimit: Infinity,
    rolldownOptions: { output: { codeSplitting: { groups: moments() } } },
  },
}

const server: UserConfig = {
  // Nothing of the app's public folder belongs beside the server.
  publicDir: false,
  // Its peer is a compiler: bundled, neither is installed where the portal runs.
  ssr: { noExternal: ['valibot'] },
  build: {
    ssr: true,
    outDir: 'dist/server',
    target: 'node20',
    rolldownOptions: {
      // The database's thread is a file of its own, looked for beside main.mjs.
      input: {
        main: 'server/main.ts',
        database: 'server/ops/cli/database.ts',
        token: 'server/ops/cli/token.ts',
        admin: 'server/ops/cli/admin.ts',
        'push-keys': 'server/ops/cli/push-keys.ts',
        backup: 'server/ops/cli/backup.ts',
        move: 'server/ops/cli/move.ts',
        'pglite-worker': 'server/db/pglite/pglite-worker.mjs',
      },
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
    },
  },
}

export default defineConfig(({ isSsrBuild }) => (isSsrBuild ? server : client))
