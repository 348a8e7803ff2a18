// kill -9 during many deliveries: every delivery answered 2xx is on the board exactly once after the next start.
import path from 'node:path'
import { expect, test } from 'vitest'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { upsert } from '#tests/support/deliveries.ts'
import { ADMIN_PASSWORD, call, signIn, type RunningPortal } from '#tests/support/portal.ts'
import { addBrokerWithWebhook, openDataFolder } from '#tests/support/data-folder.ts'

const ROUNDS = 5
const SENDERS = 8
const MAX_ANSWERS_A_ROUND = 120

let address = ''
let portal: RunningPortal | undefined

const { dataDir, start } = await openDataFolder('ingest', async (db) => {
  address = await addBrokerWithWebhook(db)
})

test(`${ROUNDS} rounds of kill -9 under deliveries lose and double none`, async () => {
  const answered = new Set<string>()
  const sent = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    portal = await start()
    await pourUntilKilled({ portal, round, answered, sent })
  }
  portal = await start()
  await drained(portal.origin)
  await portal.process.kill('SIGTERM')

  const db = await openPglite({ dataDir: path.join(dataDir, 'database') })
  const { rows } = await db.query<{ message_id: string }>('select message_id from public.whatsapp_messages')
  const { rows: contacts } = await db.query('select unread_count from public.whatsapp_contacts')
  await db.close()
  const stored = rows.map((row) => row.message_id)
  expect(answered.size).toBeGreaterThan(ROUNDS)
  expect(new Set(stored).size).toBe(stored.length)
  expect([...answered].filter((id) => !stored.includes(id))).toEqual([])
  expect(stored.filter((id) => !sent.has(id))).toEqual([])
  expect(contacts).toEqual([{ unread_count: stored.length }])
}, 120_000)

async function pourUntilKilled(run: {
  portal: RunningPortal
  round: number
  answered: Set<string>
  sent: Set<string>
}) {
  const { origin, process: server } = run.portal
  let answersLeft = 1 + Math.floor(Math.random() * MAX_ANSWERS_A_ROUND)
  let isKilled = false
  const sender = async (name: number) => {
    for (let turn = 0; !isKilled; turn++) {
      const id = `R${run.round}S${name}T${turn}`
      run.sent.add(id)
      const response = await fetch(origin + address, {
        method: 'POST',
        body: JSON.stringify(upsert({ id })),
      }).catch(() => null)
      if (response?.ok) run.answered.add(id)
      if (response?.ok && --answersLeft === 0) {
        isKilled = true
        await server.kill('SIGKILL')
      }
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, (_, name) => sender(name)))
}

/** Polls until everything is applied. */
async function drained(origin: string) {
  const token = await signIn(origin, 'admin@admin.local', ADMIN_PASSWORD)
  for (;;) {
    const { body } = await call<{ webhook: { waiting: number } }>(`${origin}/api/health`, { token })
    if (body.webhook.waiting === 0) return
  }
}
