// An operator moves the media from a folder to a bucket and back by the documented commands, and starts the built
// portal in between.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFolderStore } from '#server/storage/folder.ts'
import { call, launchPortal, startPortal } from '#tests/support/portal.ts'
import { startNode } from '#tests/support/process.ts'
import { openScriptedBucket, type ScriptedBucket } from '#tests/support/scripted-bucket.ts'

let dataDir: string
let bucket: ScriptedBucket
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'portal-bucket-'))
  bucket = await openScriptedBucket()
})
afterAll(async () => {
  await bucket.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function move(...args: string[]) {
  const { code, output, errors } = await startNode(['server/ops/cli/move-media.mjs', ...args], {
    cwd: process.cwd(),
    env: { DATA_DIR: dataDir, DEMO: '0', ...bucket.env },
  }).ending
  return { code, said: (output + errors).trim() }
}
const refusal = async (env: Record<string, string>) => {
  const { code, errors } = await launchPortal(dataDir, env).ending
  return { code, errors: errors.trim() }
}

test('copied while the portal runs, moved once it stands, started with the bucket, and home again', async () => {
  const without = await startPortal(dataDir)
  const id = await (await openFolderStore(path.join(dataDir, 'media'))).put(Buffer.from('uma foto'))
  const copied = await move()
  expect([copied.code, copied.said]).toEqual([0, expect.stringContaining('O portal está em funcionamento')])
  await without.process.kill('SIGTERM')

  expect(await refusal({ ...bucket.env, S3_SECRET_ACCESS_KEY: 'outro' })).toEqual({
    code: 1,
    errors: 'O depósito de mídias não pode ser usado: S3_SECRET_ACCESS_KEY não é o segredo dessa chave.',
  })
  expect(await move()).toMatchObject({ code: 0 })
  const running = await startPortal(dataDir, bucket.env)
  expect((await call(`${running.origin}/api/health`)).body).toMatchObject({ status: 'ok' })
  await running.process.kill('SIGTERM')
  expect(await refusal({})).toEqual({
    code: 1,
    errors: expect.stringContaining('As mídias deste portal estão em'),
  })

  // The portal starts although its bucket is away, and says so.
  bucket.state.isDown = true
  const alone = await startPortal(dataDir, bucket.env)
  expect(await call(`${alone.origin}/api/health`)).toMatchObject({
    status: 200,
    body: { status: 'degraded', faults: ['media-away'] },
  })
  await alone.process.kill('SIGTERM')
  bucket.state.isDown = false

  bucket.age(120_000)
  expect(await move('--back')).toMatchObject({ code: 0 })
  expect([
    bucket.objects.size,
    (await (await openFolderStore(path.join(dataDir, 'media'))).find(id))?.sizeBytes,
  ]).toEqual([0, 8])
  const home = await startPortal(dataDir)
  await home.process.kill('SIGTERM')
}, 240_000)
