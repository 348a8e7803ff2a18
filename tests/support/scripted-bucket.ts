// A small S3 on loopback with one bucket: it checks signatures and hashes, and fails as a test scripts it.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { AwsV4Signer } from 'aws4fetch'
import type { BucketSettings } from '#server/storage/bucket/sending.ts'

/** What happens to one request instead of its answer. */
export type Fault =
  | { status: number; body?: string }
  /** The bucket keeps the connection open and never answers. */
  | 'silence'
  /** The connection is cut before the body was read, once half of it was, or once all of it was. */
  | 'cut-before'
  | 'cut-within'
  | 'cut-after'
  /** The answer is cut once half of its body has gone. */
  | 'cut-answer'
  /** Everything, with 200, where a part was asked for. */
  | 'whole'
  /** 206 with other bytes than were asked for. */
  | 'other-range'

type Kept = { bytes: Buffer; modifiedMs: number }

const EMPTY = createHash('sha256').digest('hex')
const SKEW_MS = 15 * 60_000

export type ScriptedBucket = Awaited<ReturnType<typeof openScriptedBucket>>

export async function openScriptedBucket() {
  const objects = new Map<string, Kept>()
  const state = {
    now: () => Date.now(),
    /** Cuts every connection. */
    isDown: false,
    pageSize: 1_000,
    /** Keys that are listed though they are gone. */
    ghosts: new Set<string>(),
    /** False: the entity tag is no MD5, as with a key of the store's own. */
    tellsMd5: true,
    bucket: 'media',
  }
  const faults: { fault: Fault; method: string }[] = []
  /** `PUT key`, in the order in which they came. */
  const asked: string[] = []
  let closed = 0
  let settings: BucketSettings

  const server = createServer({ requireHostHeader: false }, (request, response) => {
    answer(request, response).catch(() => request.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { method = '', url = '' } = request
    const { pathname, searchParams } = new URL(url, settings.endpoint)
    const [, bucket = '', key = ''] = pathname.split('/')
    asked.push(`${method} ${key}`.trim())
    response.sendDate = false
    response.setHeader('date', new Date(state.now()).toUTCString())
    if (state.isDown) return void request.destroy()
    const at = faults.findIndex((one) => one.method === method || one.method === 'any')
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]?.fault
    if (fault === 'cut-before') return void request.destroy()
    const body = await readBody(request, fault === 'cut-within')
    if (fault === 'cut-within' || body === null) return void request.destroy()
    if (fault === 'silence') return
    if (typeof fault === 'object') return void response.writeHead(fault.status).end(fault.body ?? '')
    const refusal =
      bucket === state.bucket ? await refusalOf(request, body) : ([404, 'NoSuchBucket'] as const)
    if (refusal) return refuse(request, response, refusal)
    if (key === '') return void response.end(list(searchParams))
    if (method === 'PUT') return put({ key, body, isCut: fault === 'cut-after' }, response)
    if (method === 'DELETE') {
      objects.delete(key)
      return void response.writeHead(204).end()
    }
    return get({ key, fault }, request, response)
  }

  function put(
    { key, body, isCut }: { key: string; body: Buffer; isCut: boolean },
    response: ServerResponse,
  ) {
    objects.set(key, { bytes: body, modifiedMs: state.now() })
    if (isCut) response.destroy()
    else response.end()
  }

  function get(
    { key, fault }: { key: string; fault: Fault | undefined },
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    const kept = objects.get(key)
    if (!kept) return refuse(request, response, [404, 'NoSuchKey'])
    const { bytes, modifiedMs } = kept
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const isPart = from !== undefined && fault !== 'whole'
    const start = isPart ? Number(from) + (fault === 'other-range' ? 1 : 0) : 0
    const end = isPart ? Math.min(Number(to), bytes.length - 1) : bytes.length - 1
    const md5 = createHash('md5').update(bytes).digest('hex')
    response.writeHead(isPart ? 206 : 200, {
      'content-length': end + 1 - start,
      'last-modified': new Date(modifiedMs).toUTCString(),
      etag: `"${state.tellsMd5 ? md5 : `${md5}-1`}"`,
      ...(isPart && { 'content-range': `bytes ${start}-${end}/${bytes.length}` }),
    })
    const part = bytes.subarray(start, end + 1)
    if (request.method === 'HEAD') return void response.end()
    if (fault !== 'cut-answer') return void response.end(part)
    return void response.write(part.subarray(0, part.length / 2), () => response.destroy())
  }

  function list(query: URLSearchParams): string {
    const keys = [...new Set([...objects.keys(), ...state.ghosts])].toSorted()
    const after = query.get('continuation-token')?.slice('after&'.length) ?? ''
    const size = Math.min(state.pageSize, Number(query.get('max-keys') ?? 1_000))
    const page = keys.filter((key) => key > after).slice(0, size)
    const isCut = page.length > 0 && page.at(-1) !== keys.at(-1)
    const items = page.map((key) => {
      const at = new Date(objects.get(key)?.modifiedMs ?? 0).toISOString()
      return `<Contents><Key>${key}</Key><LastModified>${at}</LastModified></Contents>`
    })
    const next = isCut ? `<NextContinuationToken>after&amp;${page.at(-1)}</NextContinuationToken>` : ''
    return `<?xml version="1.0"?><ListBucketResult>${items.join('')}${next}</ListBucketResult>`
  }

  async function refusalOf(request: IncomingMessage, body: Buffer) {
    const { authorization = '', 'x-amz-date': date, 'x-amz-content-sha256': hash } = request.headers
    const [, keyId, region] = /Credential=([^/]+)\/\d{8}\/([^/]+)\//.exec(authorization) ?? []
    if (keyId !== settings.accessKeyId) return [403, 'InvalidAccessKeyId'] as const
    if (region !== settings.region) return [400, 'AuthorizationHeaderMalformed'] as const
    const sent = Date.parse(String(date).replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:'))
    if (!(Math.abs(sent - state.now()) < SKEW_MS)) return [403, 'RequestTimeTooSkewed'] as const
    const signer = new AwsV4Signer({
      ...settings,
      service: 's3',
      method: request.method ?? '',
      url: `http://${request.headers.host}${request.url}`,
      headers: { 'x-amz-content-sha256': String(hash) },
      datetime: String(date),
    })
    if ((await signer.sign()).headers.get('authorization') !== authorization)
      return [403, 'SignatureDoesNotMatch'] as const
    const seen = body.length === 0 ? EMPTY : createHash('sha256').update(body).digest('hex')
    return seen === hash ? null : ([400, 'XAmzContentSHA256Mismatch'] as const)
  }

  const refuse = (
    request: IncomingMessage,
    response: ServerResponse,
    [status, code]: readonly [number, string],
  ) => {
    response.writeHead(status).end(request.method === 'HEAD' ? '' : `<Error><Code>${code}</Code></Error>`)
  }

  server.on('connection', (socket) => socket.once('close', () => (closed += 1)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  settings = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'media',
    region: 'us-east-1',
    accessKeyId: 'CHAVE',
    secretAccessKey: 'segredo+da/chave',
  }
  return {
    settings,
    objects,
    state,
    asked,
    /** The next requests of a method end so, one after the other. */
    fail: (method: string, ...next: Fault[]) => void faults.push(...next.map((fault) => ({ method, fault }))),
    /** The number of faults planned by `fail` that no request has met yet. */
    left: () => faults.length,
    /** Connections that were closed. */
    closed: () => closed,
    /** Makes all objects older. */
    age: (byMs: number) => {
      for (const kept of objects.values()) kept.modifiedMs -= byMs
    },
    /** As portals read it. */
    env: {
      S3_ENDPOINT: settings.endpoint,
      S3_BUCKET: settings.bucket,
      S3_REGION: settings.region,
      S3_ACCESS_KEY_ID: settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Null where the connection was lost before the end. */
async function readBody(request: IncomingMessage, isHalf: boolean): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  const stated = Number(request.headers['content-length'] ?? 0)
  let size = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    pieces.push(piece)
    size += piece.length
    if (isHalf && size >= stated / 2) return null
  }
  return size === stated ? Buffer.concat(pieces) : null
}
