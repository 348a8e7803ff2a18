// Memory of the process during large simultaneous deliveries: none is lost, and memory grows little.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { BROKER } from '#tests/support/board.ts'
import { image } from '#tests/support/deliveries.ts'
import { startPortal, type RunningPortal } from '#tests/support/portal.ts'

const DELIVERIES = 12
const MB = 1024 * 1024
const FILE_BYTES = 20 * MB
const MAX_MORE_MB = 150

let dataDir: string
let address: string
let portal: RunningPortal

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'portal-memory-'))
  const db = await openPglite({
    dataDir: path.join(dataDir, 'database'),
    template: inject('migratedTemplate'),
  })
  await db.query('insert into public.brokers ("instanceName") values ($1)', [BROKER.instance])
  address = `/webhook/${BROKER.instance}/${await mintWebhookSecret(db.query, BROKER.instance)}`
  await db.close()
  portal = await startPortal(dataDir, { NODE_OPTIONS: '--max-old-space-size=256' })
})
afterAll(async () => {
  await portal.process.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

/** In MB: the current value, and the peak. */
async function memory() {
  const status = await readFile(`/proc/${portal.process.pid}/status`, 'utf8')
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
  return { now: of('VmRSS'), peak: of('VmHWM') }
}

test(`${DELIVERIES} files of ${FILE_BYTES / MB} MB at once take at most ${MAX_MORE_MB} MB more`, async () => {
  const before = await memory()
  const send = async (n: number) => {
    const body = JSON.stringify(image({ id: `M${n}`, bytes: Buffer.alloc(FILE_BYTES, `planta ${n} `) }))
    // The gateway repeats every answer but 2xx.
    for (;;) {
      const { status } = await fetch(portal.origin + address, { method: 'POST', body })
      if (status === 200) return
      expect(status).toBe(503)
    }
  }
  await Promise.all(Array.from({ length: DELIVERIES }, (_, n) => send(n)))
  const { peak } = await memory()
  process.stdout.write(`memory: ${Math.round(before.now)} MB before, at most ${Math.round(peak)} MB\n`)
  expect(peak - before.now).toBeLessThan(MAX_MORE_MB)
  await portal.process.kill('SIGTERM')
  const db = await openPglite({ dataDir: path.join(dataDir, 'database') })
  const { rows } = await db.query<{ kept: number }>(
    `select (select count(*) from public.whatsapp_messages where content ->> 'mediaId' is not null)
       + (select count(*) from portal.webhook_inbox where body like '%stored:%') as kept`,
  )
  await db.close()
  expect(rows).toEqual([{ kept: DELIVERIES }])
}, 180_000)
