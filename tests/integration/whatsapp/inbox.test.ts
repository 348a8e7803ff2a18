// Deliveries that arrive during a broker's removal: those of others are stored all the same.
import { expect, test } from 'vitest'
import { createInbox } from '#server/whatsapp/webhook/inbox.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { databasesOf, openBase } from '#tests/support/database.ts'
import { makeBroker, untilLockAwaited } from '#tests/support/make.ts'

const base = await openBase()

test('one is dropped with its broker, and the next is stored', async () => {
  const [ana, leaving] = [await makeBroker(base.db), await makeBroker(base.db)]
  for (const { instanceName } of [ana, leaving]) await mintWebhookSecret(base.db.query, instanceName)
  const [, other = base.db] = databasesOf(base.db)
  const inbox = createInbox(other)
  const storing = await base.db.transaction(async (query) => {
    await query('delete from public.brokers where id = $1', [leaving.id])
    const first = inbox.store({
      kind: 'evolution',
      instanceName: leaving.instanceName,
      body: '{"n":1}',
      receivedAtMs: 1,
    })
    await untilLockAwaited(base.db)
    // These two wait together, after the first.
    const behind = [leaving, ana].map(({ instanceName }) =>
      inbox.store({ kind: 'evolution', instanceName, body: '{"n":2}', receivedAtMs: 2 }),
    )
    return { all: Promise.all([first, ...behind]) }
  })
  await storing.all
  const { rows } = await base.db.query('select "instanceName", body from portal.webhook_inbox')
  expect(rows).toEqual([{ instanceName: ana.instanceName, body: '{"n":2}' }])
})
