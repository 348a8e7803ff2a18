// kill -9 during visit reminders and scheduled messages: none lost, each reminder recorded once, each text on the phone
// once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { BROKER } from '#tests/support/board.ts'
import { prepareLinkedPortal } from '#tests/support/linked-portal.ts'
import { makeMessage } from '#tests/support/make.ts'
import { call, signIn, type RunningPortal } from '#tests/support/portal.ts'
import { openPushService } from '#tests/support/push.ts'

const KILLS = 20
/** Visits booked in each round. */
const VISITS = 5
const TEXTS = 3
const DEVICE = '/celular'
/** The portal's log line after it recorded that a device got a visit reminder. */
const NOTED = /"push\.taken"[^\n]*"visit"/g

let checkout: Awaited<ReturnType<typeof prepareLinkedPortal>>
let pushes: Awaited<ReturnType<typeof openPushService>>
let pushKey = ''
beforeAll(async () => {
  pushes = await openPushService(() => pushKey)
  checkout = await prepareLinkedPortal({
    leads: KILLS * VISITS,
    isDemo: true,
    env: { LOG_LEVEL: 'info', CAMPAIGN_DELAY_MS: '100-300' },
    prepare: async (db) => {
      await db.exec(
        'update public.campaign_settings set opens_at = 0, closes_at = 24, sends_on_sundays = true',
      )
      const { rows } = await db.query<{ id: number }>('select id from public.whatsapp_contacts order by id')
      // The leads wrote long ago, so no limit of first messages applies.
      for (const { id } of rows) await makeMessage(db, id, { instanceName: BROKER.instance })
      await db.exec(`
        insert into portal.actions (contact_id, kind, due_at, note, seen_at)
        select id, 'visit', now() + interval '30 days' + id * interval '1 hour', 'Estande', now()
        from public.whatsapp_contacts;
        insert into portal.scheduled_messages (contact_id, body, due_at, unless_answered, seen_at)
        select id, 'Agendada ' || id, now() + interval '20 days', false, now()
        from (select id, row_number() over (order by id) as n from public.whatsapp_contacts) c
        where n % ${VISITS} < ${TEXTS};
        delete from portal.push_queue`)
    },
  })
})
afterAll(async () => {
  await checkout.clear()
  await pushes.close()
})

const enter = ({ origin }: RunningPortal) => signIn(origin, BROKER.email, BROKER.password)

/** A round's visits and texts are due. */
const fallDue = (round: number) =>
  checkout.withDatabase(async (db) => {
    const ofRound = `(select id from (
        select id, row_number() over (order by id) - 1 as n from public.whatsapp_contacts) c where n / ${VISITS} = ${round}) r`
    await db.exec(`
      update portal.visits v set remind_at = now()
      from portal.actions a, ${ofRound} where a.id = v.action_id and a.contact_id = r.id;
      update portal.scheduled_messages s set due_at = now()
      from ${ofRound} where s.contact_id = r.id;
      -- What a portal that is gone had in hand is free.
      update portal.push_queue set claimed_until = now() where claimed_by is not null`)
  })

const visitPushes = () => pushes.told.filter(({ json }) => json.notification.tag.startsWith('visit-'))

test(`${KILLS} kills during visit reminders and scheduled messages`, async () => {
  let portal = await checkout.start()
  pushKey = (await call<{ pushPublicKey: string }>(`${portal.origin}/api/config`)).body.pushPublicKey
  const device = { ...pushes.subscribe(DEVICE), name: 'Celular', again: false }
  const { status } = await call(`${portal.origin}/api/push/devices`, {
    token: await enter(portal),
    body: device,
  })
  expect(status).toBe(200)
  await portal.process.kill('SIGKILL')

  /** Pushes sent without a record. */
  let loose = 0
  for (let round = 0; round < KILLS; round++) {
    await fallDue(round)
    const before = visitPushes().length
    portal = await checkout.start()
    // In even rounds while the first are being sent, in odd ones once some are recorded.
    if (round % 2 === 1) await portal.process.says(/"push\.taken"[^\n]*"visit"/)
    else while (visitPushes().length < before + 1 + (round % VISITS)) await systemClock.sleep(5)
    await systemClock.sleep((round * 37) % 300)
    const { output } = await portal.process.kill('SIGKILL')
    loose += visitPushes().length - before - [...output.matchAll(NOTED)].length
  }

  await checkout.withDatabase(async (db) => {
    await db.exec('update portal.push_queue set claimed_until = now() where claimed_by is not null')
  })
  portal = await checkout.start()
  const lines = await untilAllIsOut(portal, await enter(portal))
  await portal.process.kill('SIGTERM')

  const delivered = (await checkout.delivered()).filter((text) => text.startsWith('Agendada'))
  expect(new Set(delivered).size, 'nothing reaches a lead twice').toBe(delivered.length)
  expect(lines).toHaveLength(KILLS * TEXTS)
  expect(new Set(lines.map(({ body }) => body)).size, 'each text is one line').toBe(lines.length)
  for (const { body, delivery } of lines) expect(delivered.includes(body), body).toBe(delivery !== 'unknown')

  const tags = visitPushes().map(({ json }) => json.notification.tag)
  expect(new Set(tags).size, 'each visit is told of').toBe(KILLS * VISITS)
  // A push open at a kill is sent again with the same tag, which replaces it on the phone; no other is.
  expect(tags.length - new Set(tags).size).toBeLessThanOrEqual(loose)
  await checkout.withDatabase(async (db) => {
    const { rows } = await db.query(
      `select count(*)::integer as visits, count(*) filter (where remind_kind = 'hours')::integer as told,
         (select count(*)::integer from portal.push_queue where kind = 'visit') as left
       from portal.visits`,
    )
    expect(rows).toEqual([{ visits: KILLS * VISITS, told: KILLS * VISITS, left: 0 }])
  })
}, 600_000)

/** Until every message matches the phone, and every visit had its reminder. */
async function untilAllIsOut({ origin }: RunningPortal, token: string) {
  for (;;) {
    const { body: lines } = await call<{ body: string; delivery: string }[]>(
      `${origin}/rest/v1/whatsapp_messages?type=eq.outgoing&body=like.Agendada*&select=body,delivery`,
      { token },
    )
    const received = new Set(visitPushes().map(({ json }) => json.notification.tag))
    const onPhone = await checkout.delivered()
    // A result is unknown until the phone was asked; one that stays unknown although it is there would never end this.
    const isOut = lines.every(({ body, delivery }) =>
      delivery === 'unknown' ? !onPhone.includes(body) : delivery === 'delivered' && onPhone.includes(body),
    )
    if (isOut && lines.length === KILLS * TEXTS && received.size === KILLS * VISITS) return lines
    await systemClock.sleep(200)
  }
}
