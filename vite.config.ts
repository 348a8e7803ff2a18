// How the app and the portal server are built, and the app served while it is worked on. PWA.md 1, 8; PRODUCT.md 5.
import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type UserConfig } from 'vite'
import { pwa } from './server/cli/pwa.mjs'

/** Where `npm run dev` has the portal server listen. */
const PORTAL = process.env['PORTAL_ORIGIN'] ?? 'http://127.0.0.1:8080'

/** Has the page fetch the login and the board beside the app itself, not after it. */
const preloadBroker: Plugin = {
  name: 'preload-broker',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.values(bundle)
        .filter((file) => file.type === 'chunk' && file.name === 'broker')
        .map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${fileName}` },
          injectTo: 'head',
        })),
  },
}

/** The screens between the first page and the board. */
const BROKERS_WAY = ['login', 'broker', 'broker-home'].map((name) => path.resolve(`src/routes/${name}.tsx`))

type Graph = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null }

/** Names the chunk of what those screens cannot do without; what they fetch later stays in chunks of its own. */
function nameBrokersWay() {
  let way: Set<string> | undefined
  return (id: string, graph: Graph) => {
    way ??= reach(BROKERS_WAY, graph)
    return way.has(id) ? 'broker' : null
  }
}

function reach(from: readonly string[], graph: Graph): Set<string> {
  const found = new Set(from)
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

const client: UserConfig = {
  plugins: [react(), tailwindcss(), preloadBroker, pwa()],
  server: {
    proxy: Object.fromEntries(['/api', '/auth', '/rest', '/webhook'].map((path) => [path, PORTAL])),
  },
  build: {
    outDir: 'dist/client',
    // A data: address would need an exception in the content policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'], priority: 1 },
            // The way from sign-in to the board is one file, so that a weak signal pays for one request (PRODUCT.md 5).
            { name: nameBrokersWay() },
          ],
        },
      },
    },
  },
}

const server: UserConfig = {
  // Nothing of the app's public folder belongs beside the server.
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist/server',
    target: 'node20',
    rolldownOptions: {
      // The database's thread is a file of its own, looked for beside main.mjs.
      input: {
        main: 'server/main.ts',
        database: 'server/cli/database.ts',
        'pglite-worker': 'server/db/pglite-worker.mjs',
      },
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
    },
  },
}

export default defineConfig(({ isSsrBuild }) => (isSsrBuild ? server : client))
