#!/usr/bin/env bash
# Guess: a WOFF font costs its unpacking once, and then as much as the TrueType font in it.
# What happens: fontkit unpacks the table of outlines again for each glyph, which takes many times as long.
# In the portal: server/privacy/conversation/woff.mjs unpacks the fonts of a conversation's PDF before fontkit gets them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --save-exact fontkit@2.0.4 @fontsource/dejavu-sans@5.3.0 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { create } from 'fontkit'

const woff = readFileSync('node_modules/@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff')
const count = woff.readUInt16BE(12)
const head = Buffer.alloc(12 + count * 16)
woff.copy(head, 0, 4, 8)
head.writeUInt16BE(count, 4)
const parts = [head]
let at = head.length
for (let nth = 0; nth < count; nth++) {
  const entry = 44 + nth * 20
  const [offset, packed, size] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field))
  const bytes = woff.subarray(offset, offset + packed)
  const table = packed === size ? bytes : inflateSync(bytes)
  const place = 12 + nth * 16
  woff.copy(head, place, entry, entry + 4)
  woff.copy(head, place + 4, entry + 16, entry + 20)
  head.writeUInt32BE(at, place + 8)
  head.writeUInt32BE(table.length, place + 12)
  parts.push(table, Buffer.alloc(-table.length & 3))
  at += table.length + (-table.length & 3)
}
const { version } = JSON.parse(readFileSync('node_modules/fontkit/package.json', 'utf8'))
console.log(`fontkit ${version}`)
const LETTERS = Array.from({ length: 60 }, (_, n) => 0xc0 + n)
function measure(bytes) {
  const font = create(bytes)
  const before = process.cpuUsage().user
  const paths = LETTERS.map((point) => font.glyphForCodePoint(point).path.toSVG()).join()
  return { paths, ms: (process.cpuUsage().user - before) / 1000 }
}
const [unpacked, packed] = [measure(Buffer.concat(parts)), measure(woff)]
console.log(`outlines of ${LETTERS.length} glyphs: WOFF ${packed.ms} ms, unpacked ${unpacked.ms} ms`)
const isSame = packed.paths === unpacked.paths && packed.ms > 5 * unpacked.ms
process.exitCode = isSame ? 0 : 1
JS
node look.mjs
