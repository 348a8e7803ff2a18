// The launcher's rules: Node's version, node_modules compared with the lockfile, compressed copies.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { precompress } from '#server/ops/build/compress.mjs'
import { isNodeIn, matches, withoutDev } from '#server/ops/cli/install.mjs'

describe('the Node version', () => {
  test.each([
    ['18.20.4', false],
    ['20.18.3', false],
    ['20.19.0', true],
    ['20.20.2', true],
    ['21.7.3', false],
    ['22.11.0', false],
    ['22.12.0', true],
    ['26.0.0', true],
  ])('%s against engines: %s', (version, expected) => {
    expect(isNodeIn(version, '^20.19.0 || >=22.12.0')).toBe(expected)
  })
})

describe('node_modules compared with the lockfile', () => {
  const here = { os: [process.platform], cpu: [process.arch] }
  const elsewhere = { os: ['nowhere'], cpu: [process.arch] }
  const wanted = {
    '': { version: '1.0.0' },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/native-here': { version: '2.0.0', integrity: 'sha512-h', optional: true, ...here },
    'node_modules/native-elsewhere': {
      version: '2.0.0',
      integrity: 'sha512-e',
      optional: true,
      ...elsewhere,
    },
    'node_modules/needed-elsewhere': { version: '3.0.0', integrity: 'sha512-n', optional: true },
  }
  const placed = {
    'node_modules/a': wanted['node_modules/a'],
    'node_modules/native-here': wanted['node_modules/native-here'],
  }
  const cases: [string, Record<string, object>, boolean][] = [
    ['all that is for this machine', placed, true],
    ['nothing', {}, false],
    ['another version', { ...placed, 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } }, false],
    ['other bytes', { ...placed, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' } }, false],
    ['a package too few', { 'node_modules/native-here': placed['node_modules/native-here'] }, false],
    ['a package too many', { ...placed, 'node_modules/b': { version: '1.0.0' } }, false],
    ['no program for this machine', { 'node_modules/a': placed['node_modules/a'] }, false],
    [
      'a program for another machine',
      { ...placed, 'node_modules/native-elsewhere': wanted['node_modules/native-elsewhere'] },
      false,
    ],
  ]
  test.each(cases)('%s: %s', (_, found, expected) => {
    expect(matches({ packages: wanted }, { packages: found })).toBe(expected)
  })

  test('packages only for a build may be missing to run the portal, others may not', () => {
    const packages = {
      ...wanted,
      'node_modules/vite': { version: '1.0.0', integrity: 'sha512-v', dev: true },
    }
    const toRun = (found: Record<string, object>) =>
      matches(withoutDev({ packages }, { packages: found }), { packages: found })
    expect(matches({ packages }, { packages: placed })).toBe(false)
    expect(toRun(placed)).toBe(true)
    expect(toRun({ ...placed, 'node_modules/vite': { version: '0.9.0', integrity: 'sha512-v' } })).toBe(false)
    expect(toRun({ 'node_modules/native-here': placed['node_modules/native-here'] })).toBe(false)
  })

  test('a package for all but one system is for this machine', () => {
    const entry = { version: '1.0.0', optional: true, os: ['!nowhere'] }
    expect(matches({ packages: { 'node_modules/a': entry } }, {})).toBe(false)
  })
})

describe('compressed copies', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portal-compress-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  test('exist beside each text of 1 kB or more, with the same content', async () => {
    const text = 'conversa '.repeat(200)
    await writeFile(path.join(folder, 'app.js'), text)
    await writeFile(path.join(folder, 'small.js'), 'x')
    await writeFile(path.join(folder, 'font.woff2'), text)
    await precompress(folder)
    expect((await readdir(folder)).toSorted()).toEqual([
      'app.js',
      'app.js.br',
      'app.js.gz',
      'font.woff2',
      'small.js',
    ])
    expect(brotliDecompressSync(await readFile(path.join(folder, 'app.js.br'))).toString()).toBe(text)
    expect(gunzipSync(await readFile(path.join(folder, 'app.js.gz'))).toString()).toBe(text)
  })
})
