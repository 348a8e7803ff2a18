// docs/schema.md matches catalogue and sources.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/database.ts'
import { printSchema } from '#tests/support/schema/schema-page.ts'

const PAGE = path.resolve(import.meta.dirname, '../../../docs/schema.md')

test('the page of the schema is current (else: npm run docs:schema)', async () => {
  const base = await openTestDatabase('migrated')
  try {
    const printed = await format(await printSchema(base.db), {
      ...(await resolveConfig(PAGE)),
      filepath: PAGE,
    })
    if (process.env['SCHEMA_PAGE'] === 'write') await writeFile(PAGE, printed)
    expect(await readFile(PAGE, 'utf8')).toBe(printed)
  } finally {
    await base.close()
  }
})
