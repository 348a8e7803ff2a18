// API answers above 1 kB go compressed; files are compressed at build.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { MiddlewareHandler } from 'hono'

const WORTH_BYTES = 1024
const COMPRESSIBLE = /^(application\/(vnd\.pgrst\.(object|array)\+)?json|text\/csv)/
/** Nearly gzip's speed at a tenth less size; higher levels cost more time than they save on a fast line. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const brotli = promisify<Uint8Array, { params: Record<number, number> }, Buffer>(brotliCompress)
const zip = promisify<Uint8Array, Buffer>(gzip)

export const compression: MiddlewareHandler = async (context, next) => {
  await next()
  const { res } = context
  const encoding = preferred(context.req.header('accept-encoding') ?? '')
  if (!encoding || !res.body || res.headers.has('content-encoding')) return
  if (!COMPRESSIBLE.test(res.headers.get('content-type') ?? '')) return

  const plain = new Uint8Array(await res.arrayBuffer())
  const isWorth = plain.byteLength >= WORTH_BYTES
  const body = !isWorth ? plain : encoding === 'br' ? await brotli(plain, QUALITY) : await zip(plain)
  const headers = new Headers(res.headers)
  headers.append('vary', 'accept-encoding')
  headers.delete('content-length')
  if (isWorth) headers.set('content-encoding', encoding)
  context.res = undefined
  context.res = new Response(new Uint8Array(body), { status: res.status, headers })
}

function preferred(accepted: string): 'br' | 'gzip' | null {
  if (/\bbr\b(?!;q=0(\.0*)?(,|$))/.test(accepted)) return 'br'
  return /\bgzip\b(?!;q=0(\.0*)?(,|$))/.test(accepted) ? 'gzip' : null
}
