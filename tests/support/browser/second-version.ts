// A copy of the house, in which a next version is built and put in place of the one that ran.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPortal, type RunningPortal } from '../portal.ts'
import { startNode } from '../process.ts'

const LEFT_OUT = ['.git', '.cache', 'data', 'node_modules', 'test-results', 'tests']

export type Checkout = {
  origin: string
  /** Builds the changed sources; the version that runs is not told. */
  buildNext: (file: string, change: (source: string) => string) => Promise<void>
  /** As an operator updates: the portal stops, and starts again at the same address. */
  restart: () => Promise<void>
  stop: () => Promise<void>
  remove: () => Promise<void>
}

/** The demonstration out of a copy of this checkout and its build. */
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
