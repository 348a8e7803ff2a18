// The launcher's rules: Node's version, node_modules compared with the lockfile, compressed copies.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { precompress } from '#server/ops/build/compress.mjs'
import { isNodeIn } from '#server/ops/cli/install.mjs'
import { BUILT_WITH, matches, withoutTests } from '#server/ops/cli/packages.mjs'
import { table } from '#tests/support/table.ts'

describe('the Node version', () => {
  table('%s against engines: %s', (version) => isNodeIn(version, '^20.19.0 || >=22.12.0'), [
    ['18.20.4', false],
    ['20.18.3', false],
    ['20.19.0', true],
    ['20.20.2', true],
    ['21.7.3', false],
    ['22.11.0', false],
    ['22.12.0', true],
    ['26.0.0', true],
  ])
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
    expect(matches({ packages: wanted }, { packages: found }, 'test')).toBe(expected)
  })

  const staged = {
    '': {
      dependencies: { a: '1.0.0' },
      devDependencies: { vite: '1.0.0', vitest: '1.0.0', knip: '1.0.0' },
    },
    'node_modules/a': wanted['node_modules/a'],
    'node_modules/vite': {
      version: '1.0.0',
      dev: true,
      dependencies: { part: '2.0.0', 'only-seen': '1.0.0' },
    },
    'node_modules/vite/node_modules/part': {
      version: '2.0.0',
      dev: true,
      peerDependencies: { peer: '1.0.0' },
    },
    'node_modules/only-seen': { version: '1.0.0', dev: true },
    'node_modules/peer': { version: '1.0.0', dev: true },
    'node_modules/part': { version: '1.0.0', dev: true },
    'node_modules/vitest': { version: '1.0.0', dev: true, dependencies: { vite: '1.0.0', part: '1.0.0' } },
    'node_modules/knip': { version: '1.0.0', dev: true },
  }
  const forBuild = [
    'node_modules/a',
    'node_modules/vite',
    'node_modules/vite/node_modules/part',
    'node_modules/only-seen',
    'node_modules/peer',
  ]
  const pick = (places: readonly string[]) =>
    Object.fromEntries(places.map((place) => [place, staged[place as keyof typeof staged]]))

  test.each([
    ['run', ['node_modules/a']],
    ['build', forBuild],
    ['test', Object.keys(staged).slice(1)],
  ] as const)('%s needs just these', (need, places) => {
    const has = (found: Record<string, object>) => matches({ packages: staged }, { packages: found }, need)
    expect(has(pick(places))).toBe(true)
    expect(has(pick(Object.keys(staged).slice(1)))).toBe(true)
    for (const place of places)
      expect([place, has(pick(places.filter((one) => one !== place)))]).toEqual([place, false])
    expect(has({ ...pick(places), 'node_modules/knip': { version: '0.9.0' } })).toBe(false)
  })

  test('a first start installs what a build needs, in the versions of the lockfile', () => {
    const manifest = { name: 'portal', devDependencies: staged[''].devDependencies }
    expect(withoutTests(manifest, { packages: staged })).toEqual({
      manifest: { name: 'portal', devDependencies: { vite: '1.0.0' } },
      lockfile: {
        packages: { '': { ...staged[''], devDependencies: { vite: '1.0.0' } }, ...pick(forBuild) },
      },
    })
  })

  test('whatever the build and the app import is installed for a build', async () => {
    const { dependencies, devDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >
    const files = await Promise.all(
      ['src', 'service-worker', 'server'].map((folder) =>
        readdir(folder, { recursive: true }).then((names) => names.map((name) => path.join(folder, name))),
      ),
    )
    const imported = new Set<string>()
    for (const file of [...files.flat(), 'vite.config.ts']) {
      // These two commands print a page, for a check or a developer.
      if (!/\.(m?ts|tsx|mjs|css)$/.test(file) || /(licences|docs-env)\.mjs$/.test(file)) continue
      const text = await readFile(file, 'utf8')
      for (const [, name = ''] of text.matchAll(/(?:from|import\(|@import) ?'((?:@[\w-]+\/)?[a-z][\w.-]*)/g))
        if (name in devDependencies && !new RegExp(`import type [^\n]*'${name}`).test(text))
          imported.add(name)
    }
    expect([...imported].filter((name) => !BUILT_WITH.includes(name))).toEqual([])
    expect(BUILT_WITH.filter((name) => !(name in devDependencies))).toEqual([])
    expect(Object.keys(dependencies)).not.toEqual([])
  })

  test('a package for all but one system is for this machine', () => {
    const entry = { version: '1.0.0', optional: true, os: ['!nowhere'] }
    expect(matches({ packages: { 'node_modules/a': entry } }, {}, 'test')).toBe(false)
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
