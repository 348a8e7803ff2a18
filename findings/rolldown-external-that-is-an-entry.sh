#!/usr/bin/env bash
# Guess: an import that `external` accepts stays an import, as in Rollup, whatever else the build contains.
# What happens: if its path is also the name of an entry, rolldown puts the entry's value in place of the import.
# In the portal: server/ops/build/classic-scripts.mjs gives its entries names that no import can have.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm pkg set type=module >/dev/null
npm install --silent --save-exact rolldown@1.2.19 rollup@4.62.0 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'

const modules = { 'kit/page.js': "import { width } from './size.js'\nconsole.log(width)", 'kit/size.js': 'export const width = 41' }
const own = { name: 'own', resolveId: (id) => (id in modules ? id : null), load: (id) => modules[id] ?? null }

/** Bundles both modules, and tells whether the page still imports the width. The module of the width is external. */
async function isImported(name, make) {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'))
  const bundle = await make({ input: Object.keys(modules), external: (id) => id.startsWith('./'), plugins: [own] })
  const { output } = await bundle.generate({ format: 'es' })
  const { code } = output.find(({ fileName }) => fileName.startsWith('page'))
  const isKept = /import \{ width \}/.test(code)
  console.log(`${name} ${version}: ${isKept ? 'the import stays' : 'the value is put in its place'}`)
  return isKept
}

const inRolldown = await isImported('rolldown', rolldown)
const inRollup = await isImported('rollup', rollup)
process.exitCode = !inRolldown && inRollup ? 0 : 1
JS
node look.mjs
