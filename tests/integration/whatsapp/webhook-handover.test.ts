// Each delivery is read once: the portal that accepts it hands its events to the applier.
import { afterAll, afterEach, expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import type { DeliveriesOf } from '#server/delivery.ts'
import type { Database } from '#server/db/database.ts'
import { deliveriesOf as deliveriesOfAll } from '#server/whatsapp/gateway/rooms.ts'
import { createHandover } from '#server/whatsapp/webhook/handover.ts'
import { databaseClock, manualClock } from '#tests/support/clock.ts'
import { openBase } from '#tests/support/database.ts'
import { ack, image, upsert } from '#tests/support/deliveries.ts'
import { clearState, openWebhook, stateOf } from '#tests/support/webhook.ts'

const base = await openBase()
const first = await openWebhook(base.db)
afterEach(() => clearState(base.db))
afterAll(() => first.close())

/** Counts the bodies that are read. */
function createCount() {
  let reads = 0
  const deliveriesOf: DeliveriesOf = (kind) => {
    const reader = deliveriesOfAll(kind)
    return (
      reader && {
        ...reader,
        readDelivery: (body, atMs) => {
          reads += 1
          return reader.readDelivery(body, atMs)
        },
      }
    )
  }
  return { deliveriesOf, reads: () => reads }
}

/** One portal, so that no other one takes its deliveries. */
const openOne = (db: Database, { deliveriesOf }: ReturnType<typeof createCount>, clock = systemClock) =>
  openWebhook({ ...db }, { secret: first.secret, deliveriesOf, clock })

/** A database in which nothing can be taken out of the inbox. */
const withoutApplying = (db: Database): Database => ({
  ...db,
  transaction: (run, options) =>
    db.transaction(
      (query) =>
        run((sql, values) =>
          sql.includes('take_inbox')
            ? Promise.reject(new Error('the connection is gone'))
            : query(sql, values),
        ),
      options,
    ),
})

const BODIES = [
  upsert({ id: 'A', message: { conversation: 'Oi' } }),
  image({ id: 'B', bytes: new Uint8Array(3_000).fill(7) }),
  ack('A', 'READ', false),
  upsert({ id: 'C', key: { fromMe: true } }),
]

test('an accepted delivery is read once until it is applied', async () => {
  const count = createCount()
  const portal = await openOne(base.db, count)
  await portal.take(BODIES)
  expect((await stateOf(base.db)).messages).toHaveLength(3)
  expect(count.reads()).toBe(BODIES.length)
  await portal.close()
})

test('the portal after a crash reads the stored bodies, and applies the same', async () => {
  const count = createCount()
  const portal = await openOne(base.db, count)
  await portal.take(BODIES)
  const applied = await stateOf(base.db)
  await portal.close()
  await clearState(base.db)

  const dying = await openOne(withoutApplying(base.db), createCount(), databaseClock())
  for (const body of BODIES) expect(await dying.post(body)).toBe(200)
  await dying.close()
  const next = await openOne(base.db, count)
  const stop = next.start()
  await next.drained()
  await stop()
  expect(count.reads()).toBe(2 * BODIES.length)
  expect(await stateOf(base.db)).toEqual(applied)
  await next.close()
})

test('what another portal applied is forgotten after 30 s, and nothing is kept beyond 4 MB', () => {
  const clock = manualClock()
  const handover = createHandover(clock)
  handover.put(1, [], 3_000_000)
  handover.put(2, [], 2_000_000)
  expect([handover.find(1), handover.find(2)]).toEqual([[], undefined])
  clock.advance(29_999)
  handover.put(3, [], 1)
  expect(handover.find(1)).toEqual([])
  clock.advance(1)
  handover.put(4, [], 3_900_000)
  expect([handover.find(1), handover.find(3), handover.find(4)]).toEqual([undefined, [], []])
  handover.drop(4)
  handover.put(5, [], 3_900_000)
  expect(handover.find(5)).toEqual([])
})
