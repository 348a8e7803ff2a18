// The requests for one object: its facts, put, delete; and the request that checks bucket and keys.
import type { Readable } from 'node:stream'
import { BucketError } from './faults.ts'
import type { BucketRequests } from './requests.ts'

const CONTENT_TYPE = 'application/octet-stream'

/** `open` is called once for each attempt. */
export type Content = { sizeBytes: number; open: () => Uint8Array | Readable }

/** The facts that the store answers without sending the object; `md5` only where it is the entity tag. */
export type Head = { sizeBytes: number; md5: string | null; ageMs: number }

/** Requests for one object. Each raises BucketError. */
export function createObjects(requests: BucketRequests) {
  /** Whether bucket and keys were checked. Only then does 404 mean a missing object, not a missing bucket. */
  let isProven = false

  async function prove() {
    const reply = await requests.ask({ method: 'GET', key: '', query: '?list-type=2&max-keys=1' })
    reply.body.resume()
    isProven = true
  }

  return {
    prove,
    /** The facts of an object. Null: there is no such object. */
    head: async (id: string): Promise<Head | null> => {
      const { status, headers, body } = await requests.ask({ method: 'HEAD', key: id })
      body.resume()
      if (status === 404) {
        if (!isProven) await prove()
        return null
      }
      const { date = '', 'last-modified': modified = '', 'content-length': length, etag = '' } = headers
      if (length === undefined) throw new BucketError(status, 'NoLength')
      return {
        sizeBytes: Number(length),
        md5: /^"?([0-9a-f]{32})"?$/.exec(etag)?.[1] ?? null,
        ageMs: Date.parse(date) - Date.parse(modified),
      }
    },
    put: async (id: string, { sizeBytes, open }: Content, { isTriedOnce = false } = {}): Promise<void> => {
      const body = { sha256: id, sizeBytes, open }
      const headers = { 'content-type': CONTENT_TYPE }
      const reply = await requests.ask({ method: 'PUT', key: id, headers, body, isTriedOnce })
      reply.body.resume()
    },
    /** Succeeds also if the object is missing. */
    remove: async (id: string): Promise<void> => {
      const reply = await requests.ask({ method: 'DELETE', key: id })
      reply.body.resume()
    },
  }
}
