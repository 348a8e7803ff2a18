// The README tells the truth about the settings and the scripts.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { withSettingsTable } from '#server/cli/settings-table.ts'

const file = path.resolve(import.meta.dirname, '../../README.md')

test('its table of settings is the one of server/env.ts (else: npm run docs:env)', async () => {
  const readme = await readFile(file, 'utf8')
  const printed = await format(withSettingsTable(readme), { ...(await resolveConfig(file)), filepath: file })
  expect(readme).toBe(printed)
})

test('every script it names is there', async () => {
  const readme = await readFile(file, 'utf8')
  const { scripts } = JSON.parse(await readFile(path.resolve(file, '../package.json'), 'utf8'))
  const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name)
  expect(named).not.toEqual([])
  expect(named.filter((name) => name === undefined || !(name in scripts))).toEqual([])
})
