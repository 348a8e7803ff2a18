#!/usr/bin/env bash
# Guess: [hash:6] in chunk names builds whatever the size of the app; eight is only the default.
# What happens: the shortest hash that the bundler allows grows with the number of chunks. One part more fails the build.
# In the portal: vite.config.ts asks for seven characters; six would end with the 65th chunk.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm pkg set type=module >/dev/null
npm install --silent --save-exact rolldown@1.2.19 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rolldown } from 'rolldown'

const { version } = JSON.parse(readFileSync('node_modules/rolldown/package.json', 'utf8'))
mkdirSync('src')

/** Builds an app of this many parts, each loaded by its own dynamic import. */
async function build(parts, length) {
  for (let n = 0; n < parts; n++) writeFileSync(`src/part${n}.js`, `export const part = ${n}`)
  const loads = Array.from({ length: parts }, (_, n) => `() => import('./part${n}.js')`)
  writeFileSync('src/main.js', `export const parts = [${loads}]`)
  const bundle = await rolldown({ input: 'src/main.js' })
  const names = `[name]-[hash:${length}].js`
  const ended = bundle.generate({ entryFileNames: names, chunkFileNames: names })
  return ended.then(
    ({ output }) => `${output.length} chunks`,
    (error) => /need a minimum hash size of \d+/.exec(error.message)?.[0] ?? error.message,
  )
}

console.log(`rolldown ${version}`)
const seen = []
for (const [parts, length] of [[20, 6], [63, 6], [64, 6], [64, 7], [300, 7]]) {
  const said = await build(parts, length)
  console.log(`${parts} parts and their entry, [hash:${length}]: ${said}`)
  seen.push(said)
}
const [few, last, refused, longer, many] = seen
const isSame =
  few === '21 chunks' && last === '64 chunks' && /size of 7/.test(refused) && longer === '65 chunks' && many === '301 chunks'
process.exitCode = isSame ? 0 : 1
JS
node look.mjs
