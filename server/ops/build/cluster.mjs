// Makes the empty database that a first start of the embedded engine begins from: making it takes four seconds, once at build
// instead of at each first start.
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { gzip } from 'node:zlib'

/** Looked for beside the portal by server/db/open.ts. */
export const CLUSTER = 'cluster.tar.gz'

/** In a thread of its own, beside the bundler. @returns {Promise<Buffer>} its folder as a tar, compressed */
export async function makeCluster() {
  const thread = new Worker(new URL('../../db/pglite/pglite-worker.mjs', import.meta.url), { workerData: {} })
  try {
    const ended = new Promise((_, reject) => thread.once('error', reject))
    const next = () => Promise.race([ended, new Promise((resolve) => thread.once('message', resolve))])
    await next()
    thread.postMessage({ id: 1, op: 'exec', sql: 'checkpoint' })
    await next()
    thread.postMessage({ id: 2, op: 'dump' })
    const { result } = await next()
    return await promisify(gzip)(result)
  } finally {
    await thread.terminate()
  }
}
