// The assets of earlier releases that a build keeps.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepReleases } from '#server/ops/build/releases.mjs'

let dist = ''
beforeEach(() => (dist = mkdtempSync(path.join(tmpdir(), 'portal-dist-'))))
afterEach(() => rmSync(dist, { recursive: true }))

/** A build with these assets, as bundle.mjs makes it; `isCutOff`: killed before the app was put in place. */
async function build(assets: string[], { isCutOff = false } = {}) {
  const [next, current, earlier, wanted] = ['next', 'assets', 'releases', 'wanted'].map((name) =>
    path.join(dist, name),
  ) as [string, string, string, string]
  for (const folder of [next, wanted]) rmSync(folder, { recursive: true, force: true })
  mkdirSync(next)
  for (const name of assets) writeFileSync(path.join(next, name), name)
  await keepReleases({ next, current, earlier, wanted })
  replace(wanted, earlier)
  if (!isCutOff) replace(next, current)
}

function replace(made: string, place: string) {
  if (!readdirSync(dist).includes(path.basename(made))) return
  rmSync(place, { recursive: true, force: true })
  renameSync(made, place)
}

const stored = (number: string) => {
  const folder = path.join(dist, 'releases', number)
  return readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'))
}

test('a first build keeps nothing', async () => {
  await build(['a1.js'])
  expect(readdirSync(dist)).toEqual(['assets'])
})

test('the last two releases are kept, each with what newer ones lack, and no third', async () => {
  await build(['a1.js', 'b1.js', 'font.woff2'])
  await build(['a2.js', 'b1.js', 'font.woff2'])
  expect(stored('1')).toEqual(['a1.js'])
  await build(['a3.js', 'b3.js', 'font.woff2'])
  expect([stored('1'), stored('2')]).toEqual([['a2.js', 'b1.js'], ['a1.js']])
  await build(['a4.js', 'b4.js', 'font.woff2'])
  expect([stored('1'), stored('2')]).toEqual([
    ['a3.js', 'b3.js'],
    ['a2.js', 'b1.js'],
  ])
})

test('a rebuild of the same sources removes no release', async () => {
  await build(['a1.js'])
  await build(['a2.js'])
  await build(['a3.js'])
  await build(['a3.js'])
  expect([stored('1'), stored('2')]).toEqual([['a2.js'], ['a1.js']])
})

test('an interrupted and repeated build loses none', async () => {
  await build(['a1.js'])
  await build(['a2.js'])
  await build(['a3.js'], { isCutOff: true })
  await build(['a3.js'])
  expect([stored('1'), stored('2')]).toEqual([['a2.js'], ['a1.js']])
})

test('a restored release is current again, and the one between is kept', async () => {
  await build(['a1.js'])
  await build(['a2.js'])
  await build(['a1.js'])
  expect(stored('1')).toEqual(['a2.js'])
})
