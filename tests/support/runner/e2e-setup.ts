// Prepares, once per run, the data folder of every browser test's portal: the demonstration after its first start.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PREPARED_DEMO } from '../browser/e2e-portal.ts'
import './build.ts'
import { startPortal } from '../portal.ts'

export default async function prepare() {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-e2e-demo-'))
  const { process: portal } = await startPortal(folder, { DEMO: '1' })
  const { code, errors } = await portal.kill('SIGTERM')
  if (code !== 0) throw new Error(`no demonstration for the stories: ${errors}`)
  // Workers start afterwards and inherit it.
  process.env[PREPARED_DEMO] = folder
  return () => rm(folder, { recursive: true, force: true })
}
