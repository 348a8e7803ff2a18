// Makes, once a run, the database that every story's portal starts from: a newcomer's, with the schema and nothing in it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EMPTY_PORTAL } from './e2e-portal.ts'
import { startNode } from './process.ts'

export default async function prepare() {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-e2e-empty-'))
  const { code, errors } = await startNode(['server/cli/database.mjs', 'migrate'], {
    cwd: process.cwd(),
    env: { DATA_DIR: folder, DEMO: '1' },
  }).ending
  if (code !== 0) throw new Error(`no database for the stories: ${errors}`)
  // Workers are started after this, and inherit it.
  process.env[EMPTY_PORTAL] = folder
  return () => rm(folder, { recursive: true, force: true })
}
