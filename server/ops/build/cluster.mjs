// Makes the empty database that a first start of the embedded engine begins from: making it takes four seconds, once at build
// instead of at each first start.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { create } from 'tar'

/** Looked for beside the portal by server/db/open.ts. */
export const CLUSTER = 'cluster.tar.gz'

/** Writes its folder's content as a compressed tar. In a thread of its own, beside the bundler. @param {string} file */
export async function makeCluster(file) {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-cluster-'))
  const dataDir = path.join(folder, 'database')
  const thread = new Worker(new URL('../../db/pglite/pglite-worker.mjs', import.meta.url), {
    workerData: { dataDir },
  })
  try {
    const ended = new Promise((_, reject) => thread.once('error', reject))
    const next = () => Promise.race([ended, new Promise((resolve) => thread.once('message', resolve))])
    await next()
    thread.postMessage({ id: 1, op: 'close' })
    const { fault } = await next()
    if (fault) throw new Error(fault.message)
    await create({ file, cwd: dataDir, gzip: true, portable: true, strict: true }, ['.'])
  } finally {
    await thread.terminate()
    await rm(folder, { recursive: true, force: true })
  }
}
