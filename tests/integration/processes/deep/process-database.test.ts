// The database commands of an operator, as typed.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockDirectory } from '#server/db/pglite/directory-lock.ts'
import { startNode } from '#tests/support/process.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'portal-database-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

async function run(args: string[], env: Record<string, string> = {}) {
  const { code, output, errors } = await startNode(['server/ops/cli/database.mjs', ...args], {
    cwd: process.cwd(),
    env: { DATA_DIR: dataDir, LOG_LEVEL: 'error', ...env },
  }).ending
  return { code, said: (output + errors).trim() }
}

/** A file in the database's folder, which is deleted only with the folder; inode numbers are reused too soon. */
const marker = () => path.join(dataDir, 'database', 'marker')

test('migrate creates the database, once; seed works only in the demonstration; reset needs a confirmation', async () => {
  const real = { DEMO: '0' }
  // The build contains a migrated database, so nothing is left to do.
  const isUpToDate =
    '0 versões registradas, 0 objetos trocados, 0 objetos removidos; o banco de dados está em dia.'
  expect(await run(['migrate'], real)).toEqual({ code: 0, said: isUpToDate })
  expect(existsSync(path.join(dataDir, 'database', 'PG_VERSION'))).toBe(true)
  expect((await run(['migrate'], real)).said).toBe(isUpToDate)
  expect(await run(['seed'], real)).toEqual({
    code: 1,
    said: 'Só a demonstração recebe pessoas inventadas: use DEMO=1.',
  })
  await writeFile(marker(), '')
  expect(await run(['reset'], real)).toEqual({
    code: 1,
    said: 'Isto apaga todos os dados. Para continuar: npm run db:reset -- --yes',
  })
  expect(existsSync(marker())).toBe(true)

  const release = lockDirectory(path.join(dataDir, 'database'))
  expect(await run(['reset', '--yes'], real)).toEqual({
    code: 1,
    said: expect.stringContaining('já está em uso'),
  })
  release()
  expect(existsSync(marker())).toBe(true)
  expect((await run(['reset', '--yes'], real)).said).toBe(isUpToDate)
  expect(existsSync(marker())).toBe(false)
}, 180_000)

test('another database, and an unknown command, are refused', async () => {
  expect(await run(['reset', '--yes'], { DATABASE_URL: 'postgres://x@127.0.0.1:1/y' })).toEqual({
    code: 1,
    said: 'db:reset só apaga o banco embutido; o de DATABASE_URL é seu.',
  })
  expect(await run(['apagar'])).toEqual({ code: 1, said: 'migrate, seed ou reset' })
})
