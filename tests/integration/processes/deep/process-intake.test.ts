// kill -9 during many form deliveries: every one answered 2xx has one lead after the next start, whether it was created
// before or not.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashKey } from '#server/leads/intake/keys.ts'
import { createRawMaker, LEASE_MS } from '#server/leads/intake/raw/maker.ts'
import { createRawStore } from '#server/leads/intake/raw/store.ts'
import { manualClock } from '#tests/support/clock.ts'
import { silentLog } from '#tests/support/gateway.ts'
import type { RunningPortal } from '#tests/support/portal.ts'
import { openDataFolder } from '#tests/support/data-folder.ts'

const ROUNDS = 3
const SENDERS = 24
const ANSWERS_A_ROUND = 60
const KEY = 'pc_de_uma_medida'

let portal: RunningPortal | undefined
const { open, start } = await openDataFolder('intake', (db) =>
  db.query(
    `insert into portal.intake_keys (id, kind, name, hash, per_minute, created_by, created_at)
     values ($1, 'form', 'Site', $2, 6000, 'portal', now())`,
    [randomUUID(), hashKey(KEY)],
  ),
)

test('rounds of kill -9 under forms lose none and double none', async () => {
  const answered: string[] = []
  const sent: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    portal = await start()
    await pourUntilKilled(portal, answered, sent)
  }
  const db = await open()
  // Unfinished work is due when the killed portal's lease ends.
  const maker = createRawMaker({
    clock: manualClock(Date.now() + 2 * LEASE_MS),
    log: silentLog,
    store: createRawStore(db),
    onTaken: () => undefined,
  })
  maker.wake()
  await maker.settled()
  const { rows } = await db.query<{ id: string; leads: number }>(
    `select i.external_id as id, count(*) as leads from portal.lead_intakes i
     join public.whatsapp_contacts c on c.id = i.contact_id group by 1`,
  )
  const { rows: left } = await db.query('select from portal.intake_raw')
  await db.close()
  expect(rows.filter(({ leads }) => leads !== 1)).toEqual([])
  const made = rows.map(({ id }) => id)
  expect(answered.filter((id) => !made.includes(id))).toEqual([])
  expect(made.filter((id) => !sent.includes(id))).toEqual([])
  expect(left).toEqual([])
}, 600_000)

/** Senders send continuously; after a number of answers the portal is killed during the others. */
async function pourUntilKilled(
  { origin, process: server }: RunningPortal,
  answered: string[],
  sent: string[],
) {
  const most = answered.length + ANSWERS_A_ROUND
  const sender = async () => {
    while (answered.length < most) {
      const id = `envio-${sent.length}`
      const telefone = `119${50_000_000 + sent.length}`
      sent.push(id)
      const response = await fetch(`${origin}/api/leads`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
        body: JSON.stringify({ nome: 'Marina Tavares', telefone, lead_id: id }),
      }).catch(() => null)
      if (response === null) return
      expect([201, 202]).toContain(response.status)
      answered.push(id)
    }
    await server.kill('SIGKILL')
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
}
