// The pages for developers tell the truth: settings, size, records of decisions.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { withSettingsTable } from '#server/ops/cli/settings-table.ts'

const root = path.resolve(import.meta.dirname, '../..')
const at = (...parts: string[]) => path.join(root, ...parts)
const read = (...parts: string[]) => readFile(at(...parts), 'utf8')
const MOST_README_BYTES = 8_192
const MOST_DECISIONS = 45

test('the table of settings is the one of server/env.ts (else: npm run docs:env)', async () => {
  const file = at('docs/configuration.md')
  const page = await readFile(file, 'utf8')
  const printed = await format(withSettingsTable(page), { ...(await resolveConfig(file)), filepath: file })
  expect(page).toBe(printed)
})

test('the README stays one page', async () => {
  expect(Buffer.byteLength(await read('README.md'))).toBeLessThanOrEqual(MOST_README_BYTES)
})

test('decisions are numbered without a gap, few, and each says what it costs and what else there was', async () => {
  const names = (await readdir(at('docs/decisions'))).toSorted()
  expect(names.length).toBeLessThanOrEqual(MOST_DECISIONS)
  for (const [index, name] of names.entries()) {
    expect(Number(name.slice(0, 4)), name).toBe(index + 1)
    const text = await read('docs/decisions', name)
    for (const part of ['Context', 'Decision', 'Consequences', 'Alternatives'])
      expect(text, name).toContain(`\n## ${part}\n`)
  }
})
