// The built portal of the demonstration on a folder of its own.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPortal } from './portal.ts'

/** Names the folder that e2e-setup.ts made: the schema alone, which takes longer to make than all that is put in it. */
export const EMPTY_PORTAL = 'PORTAL_E2E_EMPTY'

/** The demonstration of a newcomer's first start; `stop` ends it and removes its folder. */
export async function startDemo(env: Record<string, string> = {}) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-e2e-'))
  const empty = process.env[EMPTY_PORTAL]
  if (empty !== undefined) await cp(empty, dataDir, { recursive: true })
  const { origin, process: portal } = await startPortal(dataDir, { DEMO: '1', ...env })
  return {
    origin,
    stop: async () => {
      await portal.kill('SIGTERM')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
