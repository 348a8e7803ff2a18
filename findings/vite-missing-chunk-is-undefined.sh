#!/usr/bin/env bash
# Guess: a listener of vite:preloadError that calls preventDefault silences the report; the import of the missing chunk
# still rejects.
# What happens: the import answers undefined, so whoever keeps its answer keeps it for ever.
# In the portal: src/app/load-part.ts stands in for that helper, and its import rejects.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm pkg set type=module >/dev/null
npm install --silent --save-exact vite@8.3.8 >/dev/null || exit 2
mkdir src
echo "import './part.css'; export const answer = 1" >src/part.js
echo 'p { color: red }' >src/part.css
echo "globalThis.load = () => import('./part.js')" >src/main.js
echo '<script type="module" src="/src/main.js"></script>' >index.html
npx vite build --logLevel error
cat >look.mjs <<'JS'
import { readdirSync, readFileSync, rmSync } from 'node:fs'

const { version } = JSON.parse(readFileSync('node_modules/vite/package.json', 'utf8'))
const names = readdirSync('dist/assets')
// The smallest page that the loader asks; each style sheet loads at once.
globalThis.window = new EventTarget()
const makeLink = () => ({
  relList: { supports: () => true },
  addEventListener: (type, run) => type === 'load' && queueMicrotask(() => run({ type })),
  removeEventListener: () => undefined,
})
globalThis.document = {
  getElementsByTagName: () => [],
  querySelector: () => null,
  createElement: makeLink,
  head: { appendChild: () => undefined },
}
rmSync(`dist/assets/${names.find((name) => /^part-.*\.js$/.test(name))}`)
await import(`./dist/assets/${names.find((name) => /^index-.*\.js$/.test(name))}`)
const tell = (load) => load.then(String, () => 'rejected')
const plain = await tell(globalThis.load())
window.addEventListener('vite:preloadError', (event) => event.preventDefault())
const prevented = await tell(globalThis.load())
console.log(`vite ${version}: ${plain}; with preventDefault: ${prevented}`)
process.exitCode = plain === 'rejected' && prevented === 'undefined' ? 0 : 1
JS
node look.mjs
