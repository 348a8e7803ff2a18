// Serves the built app: precompressed files, immutable by hash, and the page for every path that is not the
// server's.
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { Context, MiddlewareHandler } from 'hono'
import { brandStyles, type Branding } from './brand.ts'
import { preferredEncoding } from './compression.ts'
import { isPage } from './served-paths.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}
const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const
const PAGE = '/index.html'
const PUBLIC_PAGE = '/login'
const ASSETS = '/assets/'
const FOREVER = 'public, max-age=31536000, immutable'
/** Built-in icons, which the agency may replace. */
const BRAND_ICONS = /^\/icons\/(192|512|maskable-512|apple-touch-icon)\.png$/

const brotli = promisify<Uint8Array, Buffer>(brotliCompress)

type File = {
  address: string
  path: string
  type: string
  etag: string
  encodings: ReadonlySet<string>
  cacheControl: string
}

/**
 * Reads the lists once: only built files are ever served. `releases`: folders with assets of earlier
 * releases, for tabs that still run them. `branding` replaces files that show the agency's name, colour or
 * icons.
 */
export async function serveApp(
  directory: string,
  releases?: string,
  branding?: Branding,
): Promise<MiddlewareHandler> {
  const sendBranded = branding && createBrandedSender(branding)
  const earlier = releases === undefined ? [] : await listReleases(releases)
  const files = new Map([...earlier, ...(await listFiles(directory, '/'))])
  return async (context, next) => {
    if (context.req.method !== 'GET' && context.req.method !== 'HEAD') return next()
    const name = decode(context.req.path)
    const opensPage = name !== null && path.extname(name) === '' && isPage(name, context.req.header('accept'))
    const file = name === null ? undefined : (files.get(name) ?? (opensPage ? files.get(PAGE) : undefined))
    const styles = file || name === null ? null : brandStyles(name)
    if (styles !== null)
      return context.body(styles, 200, {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': FOREVER,
      })
    if (!file) return next()
    const answer = (await sendBranded?.(context, file)) ?? send(context, file)
    // Only the brokers' sign-in may be found by search engines.
    if (file.address === PAGE && name !== PUBLIC_PAGE) answer.headers.set('x-robots-tag', 'noindex')
    return answer
  }
}

function send(context: Context, file: File): Response {
  const accepted = context.req.header('accept-encoding') ?? ''
  const encoding = ENCODINGS.find(({ name }) => file.encodings.has(name) && accepted.includes(name))
  const headers = new Headers({
    'content-type': file.type,
    'cache-control': file.cacheControl,
    etag: file.etag,
    vary: 'accept-encoding',
  })
  if (context.req.header('if-none-match') === file.etag) return new Response(null, { status: 304, headers })
  if (encoding) headers.set('content-encoding', encoding.name)
  if (context.req.method === 'HEAD') return new Response(null, { headers })
  const bytes = Readable.toWeb(createReadStream(file.path + (encoding?.extension ?? '')))
  return new Response(bytes as ReadableStream, { headers })
}

/**
 * Sends files with the agency's brand in them. They are compressed once a brand, and the newest of each address is
 * cached.
 */
function createBrandedSender(branding: Branding) {
  const compressed = new Map<string, { etag: string; bytes: Promise<Buffer> }>()
  return async (context: Context, file: File): Promise<Response | null> => {
    const replaced = await branding.replace(file.address, () => readFile(file.path))
    if (!replaced) return null
    const etag = `${file.etag.slice(0, -1)}-${replaced.version}"`
    const headers = new Headers({
      'content-type': file.type,
      'cache-control': file.cacheControl,
      etag,
      vary: 'accept-encoding',
    })
    if (context.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers })
    const isText = file.encodings.size > 0
    if (!isText || preferredEncoding(context.req.header('accept-encoding') ?? '') !== 'br')
      return new Response(context.req.method === 'HEAD' ? null : new Uint8Array(replaced.bytes), { headers })
    let cached = compressed.get(file.address)
    if (cached?.etag !== etag)
      compressed.set(file.address, (cached = { etag, bytes: brotli(replaced.bytes) }))
    headers.set('content-encoding', 'br')
    return new Response(context.req.method === 'HEAD' ? null : new Uint8Array(await cached.bytes), {
      headers,
    })
  }
}

async function listReleases(directory: string): Promise<[string, File][]> {
  const folders = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const lists = await Promise.all(folders.map((folder) => listFiles(path.join(directory, folder), ASSETS)))
  return lists.flatMap((list) => [...list])
}

/** The files under `directory`, by address with the prefix `base`. */
async function listFiles(directory: string, base: string): Promise<Map<string, File>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const names = new Set(
    entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name)),
  )
  const files = new Map<string, File>()
  for (const name of names) {
    const type = TYPES[path.extname(name)]
    if (type === undefined) continue
    const { size, mtimeMs } = await stat(name)
    const address = base + path.relative(directory, name).split(path.sep).join('/')
    files.set(address, {
      address,
      path: name,
      type,
      etag: `W/"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`,
      encodings: new Set(
        ENCODINGS.filter(({ extension }) => names.has(name + extension)).map((encoding) => encoding.name),
      ),
      cacheControl: cacheControlOf(address),
    })
  }
  return files
}

/** Hashed names never change; icons change rarely, and browsers request them repeatedly. */
function cacheControlOf(address: string): string {
  if (address.startsWith(ASSETS)) return FOREVER
  return address.startsWith('/icons/') && !BRAND_ICONS.test(address) ? 'public, max-age=86400' : 'no-cache'
}

function decode(address: string): string | null {
  try {
    return decodeURIComponent(address)
  } catch {
    return null
  }
}
