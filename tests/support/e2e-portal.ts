// The built portal on an empty folder, as a newcomer's first start.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPortal } from './portal.ts'

/** The demonstration on a folder of its own; `stop` ends it and removes the folder. */
export async function startDemo(env: Record<string, string> = {}) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-e2e-'))
  const { origin, process: portal } = await startPortal(dataDir, { DEMO: '1', ...env })
  return {
    origin,
    stop: async () => {
      await portal.kill('SIGTERM')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
