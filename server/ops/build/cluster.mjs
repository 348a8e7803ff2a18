// Makes the database that a first start of the embedded engine begins from: making it empty takes four seconds and bringing it to
// the newest schema three, once at build instead of at each first start.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { create } from 'tar'
import { runnerImport } from 'vite'
import { inRoot, root } from '../cli/root.mjs'

/** Looked for beside the portal by server/db/open.ts. */
export const CLUSTER = 'cluster.tar.gz'

/** Writes its folder's content as a compressed tar. The engine has a thread of its own, beside the bundler. @param {string} file */
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
