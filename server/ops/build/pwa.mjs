// Vite plugins of the installable app: the hand-written manifest, and the service worker with its list of files to
// cache.
import { readFile } from 'node:fs/promises'
import { VitePWA } from 'vite-plugin-pwa'
import { inRoot } from '../cli/root.mjs'

const MANIFEST = 'manifest.webmanifest'
const WORKER = 'service-worker'
/** Modules of administrators' screens, and large libraries that a broker rarely needs. */
const RARE =
  /\/(src\/routes\/(admin|panel)|node_modules\/(apexcharts|react-apexcharts|@dnd-kit|libphonenumber-js)\/|src\/domain\/phone\/read\.ts)/
/**
 * Modules that are useful only while the portal answers: renewing a session, connecting WhatsApp, the pause of
 * rotations, the model's words, and what is stored there: settings, quick replies, rules and results of campaigns.
 */
const ONLINE =
  /\/(node_modules\/@supabase\/auth-js\/|src\/(api\/whole-client|features\/(connect\/connect-flow|account\/(agenda|password|push)\/dialog|account\/agenda\/assistant-row|conversation\/(history-dialog|quick-replies\/quick-repl(y-form|ies-dialog)|lead\/lead-summary|suggestion\/suggestion|voice\/transcript)|diagnostics\/(insides|probes)|offers\/rotation-row|remarketing\/online-dialogs))\.)/
/** Not in the shell: the service worker caches them at their first use. */
const OUTSIDE = [RARE, ONLINE]

export function pwa() {
  /** File names of the app's shell, as the last build found them. @type {Set<string>} */
  let shell = new Set()
  return [
    rootManifest(),
    preloadApp(),
    noteShell((files) => (shell = files)),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: WORKER,
      filename: `${WORKER}.ts`,
      // src/live/service-worker.ts registers it, once the board can be used.
      injectRegister: false,
      manifest: false,
      integration: { configureCustomSWViteBuild: (config) => void (config.logLevel = 'warn') },
      includeManifestIcons: false,
      injectManifest: {
        rollupFormat: 'iife',
        globPatterns: ['index.html', MANIFEST, 'share.js', 'icons/{192,badge-96}.png', 'assets/*'],
        globIgnores: ['**/*.{br,gz}'],
        // A test limits the sizes instead.
        maximumFileSizeToCacheInBytes: 1_000_000,
        manifestTransforms: [
          (entries) => ({
            manifest: entries.filter(({ url }) => !url.startsWith('assets/') || shell.has(url)),
            warnings: [],
          }),
        ],
      },
      devOptions: { enabled: true, type: 'module' },
    }),
  ]
}

/**
 * Served and built unchanged under its own name, because another address would make it another app.
 * @returns {import('vite').Plugin}
 */
const rootManifest = () => ({
  name: 'root-manifest',
  configureServer(server) {
    server.middlewares.use(`/${MANIFEST}`, (_, response, next) => {
      response.setHeader('content-type', 'application/manifest+json; charset=utf-8')
      readFile(inRoot(MANIFEST)).then((bytes) => response.end(bytes), next)
    })
  },
  async generateBundle() {
    const source = await readFile(inRoot(MANIFEST), 'utf8')
    JSON.parse(source)
    this.emitFile({ type: 'asset', fileName: MANIFEST, source })
  },
})

/**
 * The page names the app's chunk and its imports, so that they load in parallel with the first script.
 * @returns {import('vite').Plugin}
 */
const preloadApp = () => ({
  name: 'preload-app',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      const chunks = Object.values(bundle ?? {}).filter((output) => output.type === 'chunk')
      const app = chunks.find(({ name }) => name === 'app')
      if (!app) throw new Error('no chunk is named app')
      return [app.fileName, ...app.imports]
        .filter((file) => !html.includes(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'script', crossorigin: true, href: `/${file}` },
          injectTo: 'head',
        }))
    },
  },
})

/**
 * Finds the files that a broker may need offline: those reachable from the page without a screen outside the shell. A
 * chunk that imports one from outside could not run, so it is outside, too.
 * @param {(files: Set<string>) => void} tell
 * @returns {import('vite').Plugin}
 */
const noteShell = (tell) => ({
  name: 'note-shell',
  apply: 'build',
  generateBundle(_, bundle) {
    /** @type {Set<string>} */
    const files = new Set()
    /** @param {string} file @param {Set<string>} seen @returns {boolean} */
    const canRun = (file, seen = new Set()) => {
      const chunk = bundle[file]
      if (chunk?.type !== 'chunk' || chunk.moduleIds.some(isOutside)) return false
      seen.add(file)
      return chunk.imports.every((next) => seen.has(next) || canRun(next, seen))
    }
    /** @param {string} file */
    const visit = (file) => {
      const chunk = bundle[file]
      if (files.has(file) || chunk?.type !== 'chunk' || !canRun(file)) return
      const { importedCss, importedAssets } = chunk.viteMetadata ?? {}
      for (const found of [file, ...(importedCss ?? []), ...(importedAssets ?? [])]) files.add(found)
      chunk.imports.forEach(visit)
      chunk.dynamicImports.forEach(visit)
    }
    for (const output of Object.values(bundle))
      if (output.type === 'chunk' && output.isEntry) visit(output.fileName)
    tell(files)
  },
})

/** @param {string} id */
export const isOutside = (id) => OUTSIDE.some((kind) => kind.test(id))
