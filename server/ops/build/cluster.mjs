// Makes the database for a first start of the embedded engine at build time: creating it takes four seconds and
// migrating it three.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { create } from 'tar'
import { runnerImport } from 'vite'
import { inRoot, root } from '../cli/root.mjs'

/** server/db/open.ts looks for it beside the portal. */
export const CLUSTER = 'cluster.tar.gz'

/** Writes its folder as a compressed tar. The engine has its own thread, beside the bundler. @param {string} file */
export async function makeCluster(file) {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-cluster-'))
  const dataDir = path.join(folder, 'database')
  try {
    /** @type {{ module: typeof import('../../db/migrated.ts') }} */
    const { module } = await runnerImport(inRoot('server/db/migrated.ts'), { root, configFile: false })
    await module.makeMigrated(dataDir, inRoot('supabase'))
    await create({ file, cwd: dataDir, gzip: true, portable: true, strict: true }, ['.'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
