// Builds the reference board and serves it, compressed like the app's files.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'
import { leadRow } from '#tests/support/browser/big-board.ts'
import { root } from '#server/ops/cli/root.mjs'
import type { FloorLead } from './board.tsx'

const PAGE = `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>Piso</title><style>
*{box-sizing:border-box;margin:0}body{font:16px system-ui;background:#f6f5f1;color:#222}
main{display:flex;gap:12px;padding:12px;height:100dvh}section{flex:1;min-width:0;display:flex;flex-direction:column}
[data-cards]{overflow-y:auto;flex:1}h2{font-size:16px;padding:8px 0}
article{height:108px;margin-bottom:12px;padding:12px;background:#fff;border-radius:12px;box-shadow:0 1px 3px #0002;touch-action:pan-y}
h3{font-size:16px}p,h3{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}[data-dragging]{user-select:none}
</style></head><body><div id="root"></div><script type="module" src="/board.js"></script></body></html>`

/** Caches the page and its script; the page stores the board's rows itself. */
const WORKER = `addEventListener('install', (event) => event.waitUntil(
  caches.open('floor').then((kept) => kept.addAll(['/', '/board.js'])).then(() => skipWaiting())))
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url)
  if (pathname !== '/sync_board') event.respondWith(caches.match(pathname).then((kept) => kept ?? fetch(event.request)))
})`

const SLUGS = ['new', 'conversa', 'visita', 'negociacao', 'arquivado']

/** With the same leads as in the benchmark of the app's board. */
function rowsOf(size: number): FloorLead[] {
  const of = { instanceName: 'piso', firstId: 1, slugs: SLUGS, nowSeconds: Math.floor(Date.now() / 1_000) }
  return Array.from({ length: size }, (_, index) => {
    const { id, name, number, status, last_message: last } = leadRow(index, of)
    return { id, name: name ?? String(number), line: last?.body ?? '', at: '10:32', stage: status }
  })
}

export type Floor = { origin: string; stop: () => void }

export async function startFloor(): Promise<Floor> {
  const script = await buildScript()
  const answers: Record<string, [string, Buffer]> = {
    '/': ['text/html', brotliCompressSync(PAGE)],
    '/board.js': ['text/javascript', brotliCompressSync(script)],
    '/worker.js': ['text/javascript', brotliCompressSync(WORKER)],
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://floor')
    const size = Number(url.searchParams.get('size'))
    const [type, body] =
      url.pathname === '/sync_board'
        ? ['application/json', brotliCompressSync(JSON.stringify(rowsOf(size)))]
        : (answers[url.pathname] ?? ['text/plain', Buffer.alloc(0)])
    response.writeHead(answers[url.pathname] || url.pathname === '/sync_board' ? 200 : 404, {
      'content-type': `${type}; charset=utf-8`,
      'content-encoding': 'br',
    })
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () => server.close(),
  }
}

async function buildScript(): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2023',
      lib: {
        entry: fileURLToPath(new URL('board.tsx', import.meta.url)),
        formats: ['es'],
        fileName: 'board',
      },
    },
  })
  const [output] = Array.isArray(built) ? built : [built]
  const chunk = output && 'output' in output ? output.output[0] : undefined
  if (!chunk) throw new Error('the reference board was not built')
  return chunk.code
}
