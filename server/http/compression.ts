// Compresses API answers above 1 kB; files are compressed at build time.
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { MiddlewareHandler } from 'hono'
import { textOf } from '#server/text-answer.ts'

const WORTH_BYTES = 1024
/** Below this size, switching threads takes longer than compressing. */
const AT_ONCE_BYTES = 64 * 1024
const COMPRESSIBLE = /^(application\/(vnd\.pgrst\.(object|array)\+)?json|text\/csv)/
/** Below this size most of the time goes into making the encoder, and quality 4 wins 4 % for half as much again. */
const SHORT_BYTES = 8 * 1024
/**
 * Nearly gzip's speed with 10 % less size; higher levels cost more time than they save on a fast connection.
 */
const qualityOf = ({ byteLength }: Uint8Array) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: byteLength > SHORT_BYTES ? 4 : 3,
    [constants.BROTLI_PARAM_SIZE_HINT]: byteLength,
    // A window as large as the content, to save memory.
    [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(10, Math.ceil(Math.log2(byteLength)))),
  },
})

const brotli = promisify<Uint8Array, ReturnType<typeof qualityOf>, Buffer>(brotliCompress)
const zip = promisify<Uint8Array, Buffer>(gzip)

export type Encoding = 'br' | 'gzip'

export function compress(plain: Uint8Array, encoding: Encoding): Buffer | Promise<Buffer> {
  const isShort = plain.byteLength <= AT_ONCE_BYTES
  if (encoding === 'gzip') return isShort ? gzipSync(plain) : zip(plain)
  return isShort ? brotliCompressSync(plain, qualityOf(plain)) : brotli(plain, qualityOf(plain))
}

export const compression: MiddlewareHandler = async (context, next) => {
  await next()
  const { res } = context
  const encoding = preferredEncoding(context.req.header('accept-encoding') ?? '')
  const text = textOf(res)
  if (!encoding || (text === undefined && !res.body) || res.headers.has('content-encoding')) return
  if (!COMPRESSIBLE.test(res.headers.get('content-type') ?? '')) return

  if (text !== undefined && Buffer.byteLength(text) < WORTH_BYTES) {
    res.headers.append('vary', 'accept-encoding')
    return
  }
  const plain = text === undefined ? new Uint8Array(await res.arrayBuffer()) : Buffer.from(text)
  const isWorth = plain.byteLength >= WORTH_BYTES
  const body = isWorth ? await compress(plain, encoding) : plain
  const headers = text === undefined ? new Headers(res.headers) : res.headers
  headers.append('vary', 'accept-encoding')
  headers.delete('content-length')
  if (isWorth) headers.set('content-encoding', encoding)
  context.res = undefined
  context.res = new Response(body as Uint8Array<ArrayBuffer>, { status: res.status, headers })
}

/** The encoding of the answer, from those that the request accepts. */
export function preferredEncoding(accepted: string): Encoding | null {
  if (/\bbr\b(?!;q=0(\.0*)?(,|$))/.test(accepted)) return 'br'
  return /\bgzip\b(?!;q=0(\.0*)?(,|$))/.test(accepted) ? 'gzip' : null
}
