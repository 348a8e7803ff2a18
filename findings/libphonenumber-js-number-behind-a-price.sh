#!/usr/bin/env bash
# Guess: the reader of whole texts finds a phone number wherever it stands in the text.
# What happens: a price, a date or a flat's number before it, with one blank between, and nothing is found at all.
# In the portal: src/domain/phone splits a cell into runs of digits itself, and asks the library about each run.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --save-exact libphonenumber-js@1.13.16 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { findPhoneNumbersInText } from 'libphonenumber-js/max'

const { version } = JSON.parse(readFileSync('node_modules/libphonenumber-js/package.json', 'utf8'))
console.log(`libphonenumber-js ${version}`)
const PHONE = '11 95550-0108'
const found = (text) => findPhoneNumbersInText(text, 'BR').map(({ number }) => number.number)
const hidden = ['R$ 389.000 ', 'apto 1204 ', '19/11/2026 '].map((before) => before + PHONE)
const seen = [PHONE, `fone ${PHONE}`, `CEP 01310-100 fone ${PHONE}`]
for (const text of [...seen, ...hidden]) console.log(JSON.stringify(text), found(text))
const isSame = seen.every((text) => found(text).length === 1) && hidden.every((text) => found(text).length === 0)
process.exitCode = isSame ? 0 : 1
JS
node look.mjs
