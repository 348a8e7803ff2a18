// The build of the app and the portal server, and the development server of the app.
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { classicScripts } from '#server/ops/build/classic-scripts.mjs'
import { moments } from '#server/ops/build/moments.mjs'
import { pwa } from '#server/ops/build/pwa.mjs'

/** The address where `npm run dev` runs the portal server. */
const PORTAL = process.env['PORTAL_ORIGIN'] ?? 'http://127.0.0.1:8080'

const client: UserConfig = {
  plugins: [react(), tailwindcss(), pwa(), classicScripts()],
  // The router's store brings a stand-in for React's own hook, for versions of React before 18.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  server: {
    proxy: Object.fromEntries(['/api', '/auth', '/rest', '/webhook'].map((path) => [path, PORTAL])),
  },
  build: {
    outDir: 'dist/client',
    // A data: address would need an exception in the content policy.
    assetsInlineLimit: 0,
    // Without modulepreload a browser loads the chunks a moment later.
    modulePreload: {
      polyfill: false,
      // Whatever imports a chunk later has these already.
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'js'
          ? files.filter((file) => !/\/(app|start|rolldown-runtime)-[^/]*js$/.test(file))
          : files,
    },
    // Tests limit the sizes instead.
    chunkSizeWarningLimit: Infinity,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: moments() },
        // The first script names every later one, so the shortest hash that the bundler allows makes the first load
        // smaller.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
      },
    },
  },
}

const server: UserConfig = {
  // The app's public folder does not belong to the server.
  publicDir: false,
  // Bundled, so that neither it nor its peer dependency, a compiler, is installed where the portal runs.
  ssr: { noExternal: ['valibot'] },
  build: {
    ssr: true,
    outDir: 'dist/server',
    target: 'node20',
    rolldownOptions: {
      // The threads are separate files, expected beside main.mjs.
      input: {
        main: 'server/main.ts',
        database: 'server/ops/cli/database.ts',
        token: 'server/ops/cli/token.ts',
        admin: 'server/ops/cli/admin.ts',
        'push-keys': 'server/ops/cli/push-keys.ts',
        backup: 'server/ops/cli/backup.ts',
        move: 'server/ops/cli/move.ts',
        'move-media': 'server/ops/cli/move-media.ts',
        'pglite-worker': 'server/db/pglite/pglite-worker.mjs',
        'pdf-worker': 'server/privacy/conversation/pdf-worker.mjs',
      },
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
    },
  },
}

export default defineConfig(({ isSsrBuild }) => (isSsrBuild ? server : client))
