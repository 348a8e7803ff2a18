// Memory of the process during large simultaneous deliveries: none is lost, and memory grows little.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { image } from '#tests/support/deliveries.ts'
import { addBrokerWithWebhook, openDataFolder } from '#tests/support/data-folder.ts'

const DELIVERIES = 12
const MB = 1024 * 1024
const FILE_BYTES = 20 * MB
const MAX_MORE_MB = 150

let address = ''

const { dataDir, start } = await openDataFolder('memory', async (db) => {
  address = await addBrokerWithWebhook(db)
})
const portal = await start({ NODE_OPTIONS: '--max-old-space-size=256' })

/** The portal's memory in MB: now, and at its peak. */
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
