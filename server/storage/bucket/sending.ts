// One try of a signed request over node:http(s): streamed, with a limit on silence.
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import { BucketError } from './faults.ts'

export type BucketSettings = {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export type Asked = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** The object's key; empty for the bucket itself. */
  key: string
  query?: string
  headers?: Record<string, string>
  /** `open` is called once for each attempt. */
  body?: { sha256: string; sizeBytes: number; open: () => Uint8Array | Readable }
  /** True: no retry follows, because the caller can store the bytes elsewhere. */
  isTriedOnce?: boolean
}

/** The body of a reply must be read to its end or destroyed: an unread one keeps its connection. */
export type Reply = { status: number; headers: IncomingHttpHeaders; body: IncomingMessage }

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
/**
 * After an upload's last byte the store is silent until it has written everything: a millisecond for this many bytes.
 */
const STORED_IN_A_MS = 5_000
/** Uploads are written in slices, because TLS copies each write. */
const SLICE_BYTES = 64 * 1024
/** Further requests wait. Each playing video holds a connection, so uploads and other requests use another pool. */
const MAX_CONNECTIONS = 64

/**
 * Errors of the body are passed on unchanged. After `silenceMs` without a byte in either direction, BucketError is
 * raised.
 */
export function createSender(settings: BucketSettings, { silenceMs }: { silenceMs: number }) {
  const { bucket, endpoint, ...keys } = settings
  const base = `${endpoint.replace(/\/+$/, '')}/${bucket}`
  const transport = base.startsWith('https:') ? https : http
  const agentOf = () =>
    new transport.Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, scheduling: 'lifo' })
  const agents = { reading: agentOf(), other: agentOf() }
  const signing = { ...keys, service: 's3', cache: new Map<string, ArrayBuffer>() }

  async function sign({ method, key, query = '', headers = {}, body }: Asked, nowMs: number) {
    const signed = await new AwsV4Signer({
      ...signing,
      method,
      url: base + (key === '' ? '' : `/${key}`) + query,
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? EMPTY_SHA256 },
      datetime: new Date(nowMs).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    }).sign()
    const size = body ? { 'content-length': String(body.sizeBytes) } : {}
    return { url: signed.url, headers: { ...Object.fromEntries(signed.headers), ...size } }
  }

  return {
    /** `nowMs`: by the store's clock. */
    send: async (asked: Asked, nowMs: number): Promise<Reply> => {
      const { method, key, body: sent } = asked
      const { url, headers } = await sign(asked, nowMs)
      return new Promise((resolve, reject) => {
        const agent = method === 'GET' && key !== '' ? agents.reading : agents.other
        // Set here, so that it also limits the time to connect.
        const timeout = silenceMs + Math.ceil((sent?.sizeBytes ?? 0) / STORED_IN_A_MS)
        const request = transport.request(url, { method, headers, agent, timeout })
        let fault: Error | null = null
        const lost = (cause: unknown) => reject(fault ?? new BucketError(null, null, { cause }))
        request.on('timeout', () => request.destroy(new Error('silence')))
        request.on('error', lost)
        request.on('response', (body) => {
          // The reader of the body gets this error. Without a listener here, Node would end the process.
          body.on('error', () => undefined)
          resolve({ status: body.statusCode ?? 0, headers: body.headers, body })
        })
        if (!sent) return request.end()
        const bytes = wholeOf(sent, (error) => (fault = error))
        return pipeline(bytes, request, (error) => error && lost(error))
      })
    },
    close: () => {
      agents.reading.destroy()
      agents.other.destroy()
    },
  }
}

type Body = NonNullable<Asked['body']>

/** Otherwise the store would wait for the missing bytes. */
async function* wholeOf(
  { sizeBytes, open }: Body,
  onFault: (error: Error) => void,
): AsyncGenerator<Uint8Array> {
  const content = open()
  let left = sizeBytes
  try {
    for await (const piece of content instanceof Uint8Array
      ? slicesOf(content)
      : (content as AsyncIterable<Uint8Array>)) {
      left -= piece.length
      yield piece
    }
    if (left !== 0) throw new Error('the bytes to send are not as many as was said')
  } catch (error) {
    onFault(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}

function* slicesOf(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES)
}
