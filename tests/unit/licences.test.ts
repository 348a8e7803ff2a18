// Allowed licences, and every package of the lockfile has one of them.
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { faultsOf } from '#server/ops/build/licences.mjs'
import { listPackages } from '#server/ops/cli/packages.mjs'
import { writeNotices } from '#server/ops/build/notices.mjs'

const lockfile = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../package-lock.json'), 'utf8'),
)
const listed = (license: string | undefined, dev: boolean) =>
  listPackages({
    packages: { '': {}, 'node_modules/a': { version: '1.0.0', ...(license && { license }), dev } },
  })

test.each([
  ['MIT', true, true],
  ['(MIT OR GPL-3.0)', true, true],
  ['MPL-2.0', true, true],
  ['CC-BY-4.0', false, true],
  ['(MIT AND CC-BY-3.0)', false, true],
  ['MIT AND GPL-3.0', false, false],
  ['GPL-3.0-only', false, false],
  ['AGPL-3.0-or-later', false, false],
  ['SSPL-1.0', false, false],
  ['SEE LICENSE IN LICENSE.md', false, false],
  ['UNLICENSED', false, false],
  [undefined, false, false],
])('%s: allowed in production %s, for tools %s', (license, inProduction, forTools) => {
  expect([
    faultsOf(listed(license, false)).length === 0,
    faultsOf(listed(license, true)).length === 0,
  ]).toEqual([inProduction, forTools])
})

test('a package that production needs too counts as production’s', () => {
  const entry = { version: '1.0.0', license: 'MIT' }
  const packages = { 'node_modules/a': entry, 'node_modules/@b/c/node_modules/a': { ...entry, dev: true } }
  expect(listPackages({ packages })).toMatchObject([{ name: 'a', isShipped: true }])
})

test('the licence texts name every production package, with what its licence requires', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-notices-'))
  await writeNotices(path.join(folder, 'licencas.txt'))
  const text = await readFile(path.join(folder, 'licencas.txt'), 'utf8')
  await rm(folder, { recursive: true })
  const shipped = listPackages(lockfile).filter(({ isShipped }) => isShipped)
  expect(shipped.filter(({ name, version }) => !text.includes(`${name} ${version} (`))).toEqual([])
  for (const word of [
    'Copyright (c) Meta Platforms',
    'SIL OPEN FONT LICENSE',
    'Lucide Icons and Contributors',
    'Apache License',
  ])
    expect(text).toContain(word)
})
