// The size budgets of the broker's way, on the built app, and that nothing secret went into it.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { VARIABLES } from '#server/env.ts'
import { measureBundle } from '#tests/bench/bundle.ts'
import { isWithin } from '#tests/bench/measure.ts'

test('from an empty cache to the board the broker fetches no more than the budget, and nothing of other screens', async () => {
  const { measures, strangers } = await measureBundle()
  expect(measures.filter((measure) => !isWithin(measure))).toEqual([])
  expect(strangers).toEqual([])
})

test('no file that a browser gets holds a key, a token, a map of the sources or the name of a secret setting', async () => {
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

test('a first start begins from the empty database of the build, which is the one that the engine makes', async () => {
  const ask = async (options: { template?: string }) => {
    const db = await openPglite(options)
    const { rows } = await db.query(
      `select version(), d.datname, d.datcollate, d.datctype, pg_encoding_to_char(d.encoding) as encoding,
        (select count(*) from pg_class) as relations, (select count(*) from pg_proc) as functions,
        (select array_agg(rolname::text order by 1) from pg_roles) as roles
      from pg_database d where not d.datistemplate`,
    )
    await db.close()
    return rows
  }
  expect(await ask({ template: 'dist/server/cluster.tar.gz' })).toEqual(await ask({}))
})
