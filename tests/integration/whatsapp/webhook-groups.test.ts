// Deliveries applied in groups have the same result as one by one, and write to each lead once.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyEvents } from '#server/whatsapp/webhook/apply.ts'
import { readDelivery } from '#server/whatsapp/gateway/evolution/deliveries.ts'
import { openBase } from '#tests/support/database.ts'
import { ack, edited, named, NOON, reaction, revoked, upsert } from '#tests/support/deliveries.ts'
import { eventually } from '#tests/support/eventually.ts'
import { makeBroker } from '#tests/support/make.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const base = await openBase()
await base.db.exec(`
  create table public.lead_writes (contact_id bigint not null);
  create function public.count_lead_write() returns trigger language plpgsql security definer as $$
  begin
    insert into public.lead_writes values (new.id);
    return null;
  end $$;
  create trigger count_lead_write after update on public.whatsapp_contacts
    for each row execute function public.count_lead_write();
`)

type Delivery = Record<string, unknown>

const eventsOf = (instanceName: string, body: Delivery) => {
  const reading = readDelivery(body, NOON * 1000)
  return reading.ok ? reading.events.map((event) => ({ instanceName, event })) : []
}

/** Applies the deliveries in the given order, in groups of `size`. */
async function applyTo(instanceName: string, bodies: readonly Delivery[], atOnce: number) {
  for (let from = 0; from < bodies.length; from += atOnce)
    await base.db.transaction((query) =>
      applyEvents(
        query,
        bodies.slice(from, from + atOnce).flatMap((body) => eventsOf(instanceName, body)),
      ),
    )
}

/** Without ids, which differ between two instances with the same reports. */
async function leadsOf(instanceName: string) {
  const { rows } = await base.db.query(
    `select c.name, c.number, c.last_message_body, c.last_message_timestamp, c.last_message_type, c.last_message_kind,
      c.last_message_delivery, c.last_message_author, c.unread_count, c.first_incoming_at, c.first_response_at,
      c.first_contacted_at, c.waiting_since,
      (select m.message_id from public.whatsapp_messages m where m.id = c.last_message_id) as last_message
    from public.whatsapp_contacts c where c."instanceName" = $1 order by c.number`,
    [instanceName],
  )
  return rows
}

const jidOf = (lead: number) => `551198765432${lead}@s.whatsapp.net`

test('a group writes to each of its leads once, whatever the number of messages', async () => {
  const ana = await makeBroker(base.db)
  const first = [1, 2].map((lead) =>
    upsert({ id: `first-${lead}`, key: { remoteJid: jidOf(lead) }, pushName: 'Lia' }),
  )
  await applyTo(ana.instanceName, first, 1)
  await base.db.query('delete from public.lead_writes')
  const more = Array.from({ length: 12 }, (_, index) =>
    upsert({ id: `more-${index}`, key: { remoteJid: jidOf(1 + (index % 2)) }, sentAt: NOON + index }),
  )
  await applyTo(ana.instanceName, more, more.length)
  const { rows } = await base.db.query(
    'select count(*)::int as writes, count(distinct contact_id)::int as leads from public.lead_writes',
  )
  expect(rows).toEqual([{ writes: 2, leads: 2 }])
  expect(await leadsOf(ana.instanceName)).toMatchObject([
    { last_message: 'more-10', unread_count: 7 },
    { last_message: 'more-11', unread_count: 7 },
  ])
})

test("clients with the conversation open are notified of a group's messages", async () => {
  const rui = await makeBroker(base.db)
  const heard: { kind: string; instanceName?: string; contactId?: number }[] = []
  const stop = await base.db.listen('portal', (payload) => heard.push(JSON.parse(payload)))
  // Earlier notifications may still arrive.
  const isOfRui = ({ kind, instanceName }: (typeof heard)[number]) =>
    kind === 'conversation' && instanceName === rui.instanceName
  const both = [1, 2].map((lead) => upsert({ id: `told-${lead}`, key: { remoteJid: jidOf(lead) } }))
  await applyTo(rui.instanceName, [...both, edited('told-2', 'corrigida', NOON * 1000)], 3)
  const { rows } = await base.db.query<{ id: number }>(
    'select id from public.whatsapp_contacts where "instanceName" = $1 order by id',
    [rui.instanceName],
  )
  await eventually(() =>
    expect(heard.filter(isOfRui).toSorted(byContact)).toEqual(
      rows.map((lead) => ({ kind: 'conversation', instanceName: rui.instanceName, contactId: lead.id })),
    ),
  )
  await stop()
})

const byContact = (one: { contactId?: number }, other: { contactId?: number }) =>
  Number(one.contactId) - Number(other.contactId)

const id = fc.integer({ min: 1, max: 6 }).map((n) => `M${n}`)
const body = fc.oneof(
  { weight: 4, arbitrary: fc.constant('message' as const) },
  fc.constantFrom('ack' as const, 'edit' as const, 'revoke' as const, 'reaction' as const, 'name' as const),
)
const told = fc
  .record({ id, body, lead: fc.integer({ min: 1, max: 2 }), fromMe: fc.boolean(), later: fc.nat(30) })
  .map(({ id: target, body: kind, lead, fromMe, later }): Delivery => {
    const chat = { key: { remoteJid: jidOf(lead) }, sentAt: NOON + later }
    switch (kind) {
      case 'message':
        return upsert({ id: target, fromMe, message: { conversation: `${target} ${later}` }, ...chat })
      case 'ack':
        return ack(target, later > 15 ? 'READ' : 'DELIVERY_ACK', fromMe)
      case 'edit':
        return edited(target, `corrigida ${later}`, (NOON + later) * 1000)
      case 'revoke':
        return revoked(target, (NOON + later) * 1000)
      case 'reaction':
        return reaction(target, '👍', chat)
      case 'name':
        return named(jidOf(lead), `Lia ${later}`)
    }
  })

test('any deliveries in any groups have the same result as one by one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(told, { minLength: 1, maxLength: 14 }),
      fc.integer({ min: 2, max: 14 }),
      async (bodies, atOnce) => {
        const [alone, grouped] = [await makeBroker(base.db), await makeBroker(base.db)]
        await applyTo(alone.instanceName, bodies, 1)
        await applyTo(grouped.instanceName, bodies, atOnce)
        expect(await leadsOf(grouped.instanceName)).toEqual(await leadsOf(alone.instanceName))
      },
    ),
    { numRuns: byTier(10, 100) },
  )
}, 180_000)
