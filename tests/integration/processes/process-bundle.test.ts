// The size budgets of the broker's path, on the built app, and no secret in it.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { extract } from 'tar'
import { expect, inject, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { begin } from '#server/db/migrated.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { VARIABLES } from '#server/env.ts'
import { measureBundle } from '#tests/bench/bundle.ts'
import { isWithin } from '#tests/bench/measure.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

test('from an empty cache to the board the broker loads no more than the budget, and nothing of other screens', async () => {
  const { measures, strangers } = await measureBundle()
  expect(measures.filter((measure) => !isWithin(measure))).toEqual([])
  expect(strangers).toEqual([])
})

test('no file for browsers contains a key, a token, a source map or the name of a secret setting', async () => {
  const entries = await readdir('dist/client', { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  const secretSettings = Object.entries(VARIABLES).flatMap(([name, variable]) =>
    'secret' in variable ? [name] : [],
  )
  const signs = new RegExp(
    [String.raw`eyJ[\w-]{10,}\.`, 'BEGIN [A-Z ]*PRIVATE KEY', 'service_role', ...secretSettings].join('|'),
  )
  const texts = files.filter((file) => /\.(js|css|html|json|webmanifest|svg|txt)$/.test(file))
  expect(texts.length).toBeGreaterThan(20)
  for (const file of texts) expect([file, signs.exec(await readFile(file, 'utf8'))]).toEqual([file, null])
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
})

const FOLDER = 'dist/client/assets'

/** The built chunks or sheets of this name, as one text. */
async function built(part: string, kind: 'js' | 'css') {
  const ending = new RegExp(String.raw`^${part}-.{7}\.${kind}$`)
  const found = (await readdir(FOLDER)).filter((name) => ending.test(name))
  expect([part, found.length > 0]).toEqual([part, true])
  return (await Promise.all(found.map((name) => readFile(path.join(FOLDER, name), 'utf8')))).join('\n')
}

const classesOf = (css: string) =>
  [...css.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name = '']) => name.replace(/\\(.)/g, '$1'))

test.each([
  { screen: 'Hoje', parts: ['broker-today'], sheets: ['start', 'screens', 'broker-today'] },
  { screen: 'Remarketing', parts: ['broker-remarketing', 'screens'], sheets: ['start', 'late', 'screens'] },
  { screen: 'Saúde do sistema', parts: ['test-supabase', 'diagnostics'], sheets: ['start', 'late'] },
])("a broker's $screen has all its classes in its own sheets", async ({ parts, sheets }) => {
  const styled = new Set((await Promise.all(sheets.map((one) => built(one, 'css')))).flatMap(classesOf))
  // A word without '-' or ':' may be code.
  const utilities = classesOf(await built('admin', 'css')).filter((name) => /[-:]/.test(name))
  const code = (await Promise.all(parts.map((one) => built(one, 'js')))).join(' ')
  const named = new Set(code.split(/[\s"'`${}]+/))
  expect(utilities.filter((name) => named.has(name)).length).toBeGreaterThan(20)
  expect(utilities.filter((name) => named.has(name) && !styled.has(name))).toEqual([])
})

test.each([
  ['start', 'utilities'],
  ['late', 'late'],
  ['admin', 'whole'],
])('the sheet %s has its utilities in a layer of its own, in any order of loading', async (part, layer) => {
  const css = await built(part, 'css')
  expect(css).toContain(`@layer ${layer}{`)
  for (const other of ['utilities', 'late', 'whole'].filter((name) => name !== layer))
    expect(css).not.toContain(`@layer ${other}{`)
})

test('every file for a start without a signal has all that it imports, for each of the screens', async () => {
  const { shell, chunks } = await measureBundle()
  const kept = new Set(shell)
  expect(shell.flatMap((file) => chunks[file]?.imports.filter((other) => !kept.has(other)) ?? [])).toEqual([])
  const modules = shell.flatMap((file) => chunks[file]?.modules ?? [])
  for (const screen of ['broker', 'broker-today', 'broker-remarketing', 'test-supabase'])
    expect(modules).toContain(`src/routes/${screen}.tsx`)
})

test.runIf(isDeepRun)(
  "a first start begins with the build's migrated database, and shares no secret with another installation",
  async () => {
    const shape = async (db: Database) =>
      (
        await db.query(
          `select version(), d.datname, d.datcollate, d.datctype, pg_encoding_to_char(d.encoding) as encoding,
          (select array_agg(oid::regclass::text order by 1) from pg_class where relkind in ('r', 'v', 'i')) as relations,
          (select array_agg(oid::regprocedure::text order by 1) from pg_proc) as functions,
          (select array_agg(rolname::text order by 1) from pg_roles) as roles,
          (select array_agg(version order by version) from supabase_migrations.schema_migrations) as migrations,
          (select array_agg(key order by key) from portal.settings) as settings,
          (select count(*) from portal.audit_log) as audited
        from pg_database d where not d.datistemplate`,
        )
      ).rows
    const start = async () => {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-cluster-'))
      try {
        await extract({ file: 'dist/server/cluster.tar.gz', cwd: dataDir, strict: true })
        // The engine would create missing files by itself.
        expect(await readdir(dataDir)).toContain('PG_VERSION')
        const db = await openPglite({ dataDir })
        const shared = await secretsIn(db)
        expect(await migrate(db, 'supabase')).toEqual({ versions: [], objects: [], dropped: [] })
        await begin(db)
        const [made, own] = [await shape(db), await secretsIn(db)]
        // From then on it is the installation's own, over restarts.
        await begin(db)
        expect(await secretsIn(db)).toEqual(own)
        await db.close()
        return { shared, made, own }
      } finally {
        await rm(dataDir, { recursive: true, force: true })
      }
    }
    const [one, other] = [await start(), await start()]
    expect(one.shared).toEqual([])
    expect(one.own).toHaveLength(1)
    expect(one.own).not.toEqual(other.own)
    const migrated = await openPglite({ template: inject('migratedTemplate') })
    expect(one.made).toEqual(await shape(migrated))
    await migrated.close()
  },
)

/**
 * Strings in any row that look like a key: 24 or more hexadecimal digits. Except in the history, which contains file
 * hashes.
 */
async function secretsIn(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'portal', 'auth', 'storage')`,
  )
  expect(rows.length).toBeGreaterThan(50)
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: texts } = await db.query<{ text: string }>(`select r::text as text from ${name} r`)
    found.push(...texts.flatMap(({ text }) => text.match(/[0-9a-f]{24,}/g) ?? []))
  }
  return found
}
