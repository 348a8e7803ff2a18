// A data folder for each test, and portals started on it as processes, which end with the test.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { launchPortal, startPortal } from './portal.ts'
import type { Ending, Watched } from './process.ts'
import { copyMigrated } from './runner/global-setup.ts'

/** The user and group ids of the process. */
type As = Parameters<typeof launchPortal>[3]

export function useStarts() {
  let dataDir = ''
  let running: Watched[] = []
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'portal-data-'))
  })
  afterEach(async () => {
    await Promise.all(running.map((portal) => portal.kill('SIGKILL')))
    running = []
    await rm(dataDir, { recursive: true, force: true })
  })
  const begin = (env: Record<string, string> = {}, folder = dataDir, who: As = {}) => {
    const portal = launchPortal(folder, env, undefined, who)
    running.push(portal)
    return portal
  }
  return {
    inDataDir: (...parts: string[]) => path.join(dataDir, ...parts),
    begin,
    /** Resolves when the process has ended by itself. */
    launch: (env?: Record<string, string>, folder?: string): Promise<Ending> => begin(env, folder).ending,
    start: async (env: Record<string, string> = {}) => {
      const portal = await startPortal(dataDir, env)
      running.push(portal.process)
      return portal
    },
    /** Saves the time of a first start in tests about something else. */
    prepareDatabase: () => copyMigrated(path.join(dataDir, 'database')),
  }
}
