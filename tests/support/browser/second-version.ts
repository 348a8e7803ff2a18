// A copy of the checkout, in which a new version is built and replaces the running one.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPortal, type RunningPortal } from '../portal.ts'
import { startNode } from '../process.ts'

const LEFT_OUT = ['.git', '.cache', 'data', 'node_modules', 'test-results', 'tests']

export type Checkout = {
  origin: string
  /** Builds the changed sources; the running version is not restarted. */
  buildNext: (file: string, change: (source: string) => string) => Promise<void>
  /** Stops the portal and starts it again at the same address, as an operator updates it. */
  restart: () => Promise<void>
  stop: () => Promise<void>
  remove: () => Promise<void>
}

/** The demonstration from a copy of this checkout and its build. */
export async function startCheckout(): Promise<Checkout> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-house-'))
  const here = process.cwd()
  await cp(here, folder, {
    recursive: true,
    filter: (source) => !LEFT_OUT.includes(path.relative(here, source)),
  })
  await symlink(path.join(here, 'node_modules'), path.join(folder, 'node_modules'))
  const start = (port: string) => startPortal(path.join(folder, 'data'), { DEMO: '1', PORT: port }, folder)
  let portal: RunningPortal | null = await start('0')
  const { origin } = portal
  const stop = async () => {
    await portal?.process.kill('SIGTERM')
    portal = null
  }
  return {
    origin,
    buildNext: async (file, change) => {
      const place = path.join(folder, file)
      const source = await readFile(place, 'utf8')
      const changed = change(source)
      if (changed === source) throw new Error(`${file} has nothing to change: mend the story`)
      await writeFile(place, changed)
      const { code, errors } = await startNode([path.join(folder, 'server/ops/build/bundle.mjs')], {
        cwd: folder,
      }).ending
      if (code !== 0) throw new Error(errors)
    },
    restart: async () => {
      await stop()
      portal = await start(new URL(origin).port)
    },
    stop,
    remove: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
