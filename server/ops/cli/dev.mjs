// `npm run dev`: rebuilds and restarts the portal at each change, with Vite serving the app in front of it, in one
// terminal.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { command, inRoot, root, say } from './root.mjs'
import { setUp } from './setup.mjs'

/** Beside dist/client and as deep as dist/server, so that the portal finds its files by the same relative paths. */
const OUT = inRoot('dist/dev-server')

await command(import.meta.url, async () => {
  await setUp({ isBuildWanted: false, need: 'build' })
  // vite.config.ts proxies the app's requests to this address.
  process.env['PORTAL_ORIGIN'] ??= `http://127.0.0.1:${process.env['PORT'] || '8080'}`
  // Imported here, because it exists only after the packages are installed.
  const { build, createServer } = await import('vite')
  // The portal serves this folder, even if the app was never built.
  await mkdir(inRoot('dist/client'), { recursive: true })
  const portal = createRestarter()
  const watcher = await build({ root, logLevel: 'warn', build: { ssr: true, outDir: OUT, watch: {} } })
  if (!('on' in watcher)) throw new Error('vite built once instead of watching')
  watcher.on('event', (event) => {
    if (event.code === 'ERROR') console.error(event.error.message)
    if (event.code === 'BUNDLE_END') portal.restart()
    if (event.code === 'BUNDLE_END' || event.code === 'ERROR') void event.result.close()
  })
  const app = await createServer({ root })
  await app.listen()
  app.printUrls()

  const stop = async () => {
    await Promise.all([watcher.close(), app.close(), portal.stop()])
    process.exit()
  }
  process.once('SIGINT', () => void stop()).once('SIGTERM', () => void stop())
})

/** Runs one portal at a time: the next starts when the last has released its port and data. */
function createRestarter() {
  /** @type {import('node:child_process').ChildProcess | null} */
  let child = null
  let isWanted = false
  let turn = Promise.resolve()

  const stopChild = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'close')
  }
  const startOnce = async () => {
    // A start includes all changes made while the previous portal was ending.
    if (!isWanted) return
    isWanted = false
    await stopChild()
    say(child ? 'Reiniciando o portal…' : 'Iniciando o portal…')
    child = spawn(process.execPath, [`${OUT}/main.mjs`], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  }
  return {
    restart() {
      isWanted = true
      turn = turn.then(startOnce)
    },
    async stop() {
      isWanted = false
      await turn
      await stopChild()
    },
  }
}
