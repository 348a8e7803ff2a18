#!/usr/bin/env bash
# Guess: a reader for vCard 2.1, 3.0 and 4.0 decodes the names that Android's address book exports in 2.1.
# What happens: names stay in quoted-printable, and a line that such a value goes on in becomes a property of its own.
# In the portal: src/domain/lead/list/read-vcard.ts joins soft line ends, then decodes by the stated charset.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --save-exact vcf@2.1.2 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import vcf from 'vcf'

const { version } = JSON.parse(readFileSync('node_modules/vcf/package.json', 'utf8'))
console.log(`vcf ${version}`)
const card = [
  'BEGIN:VCARD',
  'VERSION:2.1',
  'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=43=C3=A9=6C=69=61=20=4D=6F=75=',
  '=72=61',
  'TEL;CELL:011955500108',
  'END:VCARD',
  '',
].join('\r\n')
const [read] = vcf.parse(card)
const name = read.get('fn').valueOf()
const properties = Object.keys(read.data)
console.log('name:', name)
console.log('properties:', properties.join(' '))
process.exitCode = name !== 'Célia Moura' && name.startsWith('=43=C3') && properties.includes('=72=61') ? 0 : 1
JS
node look.mjs
