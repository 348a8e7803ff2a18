// How the app and the portal server are built, and the app served while it is worked on.
import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { leanAuth } from '#server/ops/build/lean-auth.mjs'
import { leanReact } from '#server/ops/build/lean-react.mjs'
import { oneStart } from '#server/ops/build/one-start.mjs'
import { pwa } from '#server/ops/build/pwa.mjs'
import { quietChart } from '#server/ops/build/quiet-chart.mjs'

/** Where `npm run dev` has the portal server listen. */
const PORTAL = process.env['PORTAL_ORIGIN'] ?? 'http://127.0.0.1:8080'

/** The first script with what every part uses and what reads the device: small, so that it begins all others' downloads at once. */
const START =
  /vite\/preload-helper|\/src\/(start|api\/(session-on-device|idb-connection|log)|offline\/(first-screen|page-snapshot|database|stores|storage-state|owner)|app\/show-snapshot)\.ts$|node_modules\/idb\//
/** What screens share without belonging to one; the reader of numbers brings the numbering plans along, and comes by itself. */
const SHARED =
  /\/(lucide-react\/dist\/esm\/icons|src\/domain(?!\/phone\/(?:read|one-number|number-run|written-text)\.ts)|src\/ui)\//
/**
 * What comes together, in the order in which a broker needs it: the sign-in form; the board; what moves its cards and
 * keeps the app itself, once they are painted; what is behind the first press. Each holds all that it imports and none before it does.
 */
const MOMENTS = {
  app: ['main.tsx', 'routes/login.tsx'],
  board: ['app/signed-in.ts', 'routes/broker.tsx', 'routes/broker-home.tsx'],
  hands: [
    'app/maintenance.tsx',
    'features/account/storage-banner.tsx',
    'features/board/columns/windowed-cards.tsx',
    'features/board/day/day.ts',
    'features/board/gestures/gestures.tsx',
    'features/conversation/lead/loss-asker.tsx',
    'features/offers/offers.tsx',
    'features/outbox/connection-strip.tsx',
    'features/today/today-count.tsx',
    'live/events.ts',
    'live/service-worker.ts',
    'ui/motion/motion-features.ts',
  ],
  rest: [
    'features/account/account-sheet.tsx',
    'features/board/board-sheets.tsx',
    'features/connect/connect-flow.tsx',
    'features/conversation/conversation-dialog.tsx',
    'features/conversation/lead/loss-sheet.tsx',
    'features/conversation/message/photo-viewer.tsx',
    'features/next-step/next-step-strip.tsx',
    'features/visit/visit-place.tsx',
    'routes/parts/next-step.tsx',
    'ui/feedback/confirm.tsx',
    'ui/feedback/failed-read.tsx',
  ],
}

type ModuleInfo = { code: string | null; importedIds: readonly string[] }
type Graph = { getModuleInfo: (id: string) => ModuleInfo | null }

/** Names the chunk of a broker's moments; every other screen stays in chunks of its own. */
function nameMoment() {
  let moments: [string, Set<string>][] | undefined
  return (id: string, graph: Graph) => {
    moments ??= Object.entries(MOMENTS).map(([name, files]) => [
      name,
      reach(
        files.map((file) => path.resolve(import.meta.dirname, 'src', file)),
        graph,
      ),
    ])
    return moments.find(([, modules]) => modules.has(id))?.[0] ?? null
  }
}

/** Packages whose index imports whatever any screen uses of them. */
const INDEX =
  /node_modules\/(lucide-react|@tanstack\/(react-query|query-core))\/.*\/(index|lucide-react)\.m?js$/
const NAMED_IMPORT =
  /import\s*\{([^}]*)\}\s*from\s*["'](?:lucide-react|@tanstack\/(?:react-query|query-core))["']/g

/** Of such an index only what is asked for by name is followed. */
function reach(from: readonly string[], graph: Graph): Set<string> {
  const found = new Set(from)
  const names = new Set<string>()
  let countBefore = 0
  while (found.size > countBefore) {
    countBefore = found.size
    for (const id of found) {
      const { code, importedIds } = graph.getModuleInfo(id) ?? { code: null, importedIds: [] }
      for (const [, list = ''] of code?.matchAll(NAMED_IMPORT) ?? [])
        for (const name of list.split(',')) names.add(bare(name.split(' as ')[0] ?? ''))
      for (const imported of importedIds)
        if (!INDEX.test(id) || INDEX.test(imported) || names.has(bare(path.parse(imported).name)))
          found.add(imported)
    }
  }
  return found
}

/** 'BadgeCheck' and 'badge-check' are the same. */
const bare = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const client: UserConfig = {
  plugins: [react(), tailwindcss(), leanAuth(), leanReact(), quietChart(), oneStart(), pwa()],
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
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file for each moment: a weak signal pays for one request, and what is compressed together is smaller.
            { name: nameMoment(), priority: 2 },
            { name: 'start', test: START, priority: 3 },
            // What several later screens share, an icon or a small rule each, comes as one file too.
            { name: 'shared', test: SHARED, minShareCount: 2, maxModuleSize: 4_000, priority: 1 },
          ],
        },
      },
    },
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
