#!/usr/bin/env bash
# Guess: a browser keeps the compiled code of a script that a service worker cached, of a module as of a classic script.
# What happens: of a classic script from the first start on, of a module never, whatever the number of starts.
# In the portal: server/ops/build/classic-scripts.mjs turns the app's modules into classic scripts.
set -euo pipefail
browser=${CHROMIUM_PATH:-$(command -v chromium || command -v google-chrome || true)}
[ -n "$browser" ] || { echo 'no Chromium here' && exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm pkg set type=module >/dev/null
npm install --silent --save-exact playwright-core@1.65.1 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'

const parts = Array.from({ length: 2_000 }, (_, n) => `function part${n}(value) { return value * ${n} }\npart${n}(2)`)
const WORKER = `
  addEventListener('install', (event) => event.waitUntil(caches.open('kept').then((kept) => kept.addAll(['/', '/code.js']))))
  addEventListener('fetch', (event) => event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request))))`

function serve(type) {
  const files = {
    '/': ['text/html', `<!doctype html><script ${type} src="/code.js"></script>`],
    '/code.js': ['text/javascript', parts.join('\n')],
    '/worker.js': ['text/javascript', WORKER],
  }
  const server = createServer(({ url }, response) => {
    const [kind, body] = files[url] ?? []
    response.writeHead(kind ? 200 : 404, { 'content-type': kind ?? 'text/plain' }).end(body)
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

/** Opens the page several times; true if the last opening used compiled code that Chromium had kept. */
async function isKept(browser, type) {
  const server = await serve(type)
  const address = `http://127.0.0.1:${server.address().port}/`
  const context = await browser.newContext()
  const first = await context.newPage()
  await first.goto(address)
  await first.evaluate(async () => {
    await navigator.serviceWorker.register('/worker.js')
    await navigator.serviceWorker.ready
  })
  await first.close()
  for (let start = 0; start < 5; start++) {
    const page = await context.newPage()
    await page.goto(address, { waitUntil: 'load' })
    await page.close()
  }
  const last = await context.newPage()
  await browser.startTracing(last, { categories: ['v8', 'devtools.timeline'] })
  await last.goto(address, { waitUntil: 'load' })
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()))
  await context.close()
  server.close()
  const compiled = traceEvents.filter(
    ({ name, args }) => name.startsWith('v8.compile') && args.data?.url === `${address}code.js`,
  )
  if (compiled.length === 0) throw new Error('the script was not seen')
  return compiled.some(({ args }) => args.data.consumedCacheSize > 0)
}

const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] })
console.log(`Chromium ${browser.version()}`)
const classic = await isKept(browser, 'defer')
const module = await isKept(browser, 'type="module"')
await browser.close()
console.log(`compiled code of a classic script: ${classic ? 'kept' : 'not kept'}; of a module: ${module ? 'kept' : 'not kept'}`)
process.exitCode = classic && !module ? 0 : 1
JS
node look.mjs "$browser"
