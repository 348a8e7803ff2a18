// Outgoing events: written in the causing transaction, sent in order for each lead, never lost.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { createDeliveryWorker } from '#server/events/delivery-worker.ts'
import { createHookStore } from '#server/events/hook-store.ts'
import type { Answer, Post } from '#server/events/post.ts'
import { toJsonSchema } from '#server/machine/json-schema.ts'
import { EVENT_DATA } from '#server/machine/webhooks.ts'
import { createPushQueue } from '#server/push/push-queue.ts'
import { EVENT_TYPES, type EventType } from '#domain/machine.ts'
import { comingSaturday, manualClock } from '#tests/support/clock.ts'
import { silentLog } from '#tests/support/gateway.ts'
import {
  makeCampaign,
  makeContact,
  makeDevelopment,
  makeMessage,
  type MadeBroker,
} from '#tests/support/make.ts'
import { eventually } from '#tests/support/eventually.ts'
import { openOffice } from '#tests/support/office.ts'
import {
  makeSeatedRotation,
  nextNumber,
  openDistributor,
  routingCaseOf,
  takeLead,
} from '#tests/support/rotation.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'
import { areSettled, untilMessages } from '#tests/support/sending.ts'
import type { Calls } from '#tests/support/whatsapp.ts'

const MINUTE = 60_000
const office = await openOffice({ isStill: true })
const { db, portal, ana, bia, asAna, asBia, asAdmin } = office
afterAll(office.close)
let auditedBefore = 0
beforeEach(async () => {
  await db.exec('delete from portal.hooks')
  auditedBefore = await newestAudit()
})

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const ALL = [
  'lead.created', 'lead.assigned', 'lead.answered', 'lead.moved', 'lead.won', 'lead.lost',
  'lead.opted_out', 'message.received', 'message.sent', 'campaign.finished',
] // prettier-ignore

async function makeHook(events = ALL, url = 'https://erp.example.com/portal'): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `insert into portal.hooks (name, url, events, secret, secret_tail) values ('ERP', $1, $2, $3, 'abcd') returning id`,
    [url, events, SECRET],
  )
  return rows[0]!.id
}

const queued = async () =>
  (
    await db.query<{ type: string; contact_id: number | null; state: string }>(
      'select type, contact_id, state from portal.event_out order by id',
    )
  ).rows
const hookState = async (id: string) =>
  (await db.query('select state, reason, failures from portal.hooks where id = $1', [id])).rows[0]

/** This test's audited actions with their accounts. */
const audited = async (area: string) =>
  (
    await db.query<{ action: string; actor: string | null }>(
      `select action, actor from portal.audit_log where id > $1 and action like $2 || '.%' order by id`,
      [auditedBefore, area],
    )
  ).rows.map(({ action, actor }) => [action, actor])
const newestAudit = async () =>
  (await db.query<{ id: number }>('select coalesce(max(id), 0) as id from portal.audit_log')).rows[0]!.id

/** A device of the administrator. */
async function adminDevice(): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `insert into portal.push_devices (session_id, endpoint, p256dh, auth, name)
     select s.id, 'https://fcm.googleapis.com/fcm/send/' || s.id, $1, $2, 'Computador'
     from portal.sessions s join portal.accounts a on a.id = s.account_id
     where a.role = 'admin' order by s.created_at desc limit 1
     on conflict (session_id) do update set name = excluded.name returning id`,
    [Buffer.alloc(65, 4).toString('base64url'), Buffer.alloc(16, 4).toString('base64url')],
  )
  return rows[0]!.id
}

const toldOfHooks = async () =>
  (await createPushQueue(db).claim(Date.now(), 10)).pushes.map(({ hook }) => hook)

type Sent = { id: string; type: string; leadId: number; headers: Record<string, string>; body: string }
const taken: Answer = { status: 200, fault: null, tookMs: 5 }
const failed: Answer = { status: 503, fault: 'status', tookMs: 5 }

/** A portal's worker with what it sent; `answer` scripts the receiver. */
function deliverer(answer: (sent: Sent) => Answer | Promise<Answer> = () => taken) {
  const clock = manualClock(Date.now() + MINUTE)
  const sent: Sent[] = []
  const post: Post = async (_, headers, body) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { leadId: number } }
    const one = { id: headers['webhook-id'] ?? '', type, leadId: data.leadId, headers, body }
    sent.push(one)
    return answer(one)
  }
  const worker = createDeliveryWorker({ db, clock, log: silentLog, post, decrypt: (encrypted) => encrypted })
  const run = async (afterMs = 0) => {
    clock.advance(afterMs)
    worker.wake()
    await worker.settled()
  }
  return { sent, run, clock, worker }
}

describe('written events', () => {
  test('none while no address wants them', async () => {
    await makeContact(db, ana.instanceName)
    await makeHook(['lead.won'])
    await makeContact(db, ana.instanceName)
    expect(await queued()).toEqual([])
  })

  test('each cause, in its transaction, with ids and states only', async () => {
    await makeHook()
    const lead = await makeContact(db, ana.instanceName, { name: 'Zuleica Nome' })
    await makeMessage(db, lead.id, {
      body: 'Um texto',
      instanceName: ana.instanceName,
      timestamp: 1_795_000_001,
    })
    await makeMessage(db, lead.id, {
      type: 'outgoing', instanceName: ana.instanceName, timestamp: 1_795_000_002,
    }) // prettier-ignore
    await db.query(`update whatsapp_contacts set status = 'conversa' where id = $1`, [lead.id])
    await db.query(`update whatsapp_contacts set status = 'fechado' where id = $1`, [lead.id])
    await db.query(`update whatsapp_contacts set status = 'arquivado' where id = $1`, [lead.id])
    await db.query(`update whatsapp_contacts set "instanceName" = $2 where id = $1`, [
      lead.id,
      bia.instanceName,
    ])
    await db.query(`update portal.people set opted_out_at = now() where id = $1`, [lead.person_id])
    const { id } = await makeCampaign(db, ana.id, { status: 'running' })
    await db.query(`update remarketing_campaigns set status = 'completed' where id = $1`, [id])
    expect((await queued()).map(({ type }) => type)).toEqual([
      'lead.created', 'message.received', 'lead.answered', 'message.sent', 'lead.moved', 'lead.moved', 'lead.won',
      'lead.moved', 'lead.lost', 'lead.assigned', 'lead.opted_out', 'campaign.finished',
    ]) // prettier-ignore
    const { rows } = await db.query<{ all: string }>(
      `select string_agg(data::text, '') as all from portal.event_out`,
    )
    expect(rows[0]?.all).not.toMatch(/Zuleica|Um texto|55119/)
  })

  test('offers, their acceptance, and a lost WhatsApp link', async () => {
    await makeHook(['lead.offered', 'lead.accepted', 'broker.link_lost'])
    const lead = await makeContact(db, ana.instanceName)
    const { rows } = await db.query<{ id: number }>(
      `insert into roletas (empreendimento) values ('Roleta dos avisos') returning id`,
    )
    const rotation = rows[0]!.id
    const { rows: cases } = await db.query<{ id: number }>(
      `insert into portal.roleta_cases (contact_id, roleta_id, state, holder, arrived_at, since)
       values ($1, $2, 'offered', $3, now(), now()) returning id`,
      [lead.id, rotation, ana.instanceName],
    )
    for (const kind of ['offered', 'accepted'])
      await db.query(
        `insert into portal.roleta_events (case_id, roleta_id, kind, "instanceName", at) values ($1, $2, $3, $4, now())`,
        [cases[0]!.id, rotation, kind, ana.instanceName],
      )
    await db.query(
      `insert into portal.instance_states ("instanceName", state) values ($1, 'open')
       on conflict ("instanceName") do update set state = 'open', dead_at = null`,
      [bia.instanceName],
    )
    await db.query(`update portal.instance_states set state = 'close' where "instanceName" = $1`, [
      bia.instanceName,
    ])
    const { rows: events } = await db.query('select type, contact_id, data from portal.event_out order by id')
    const offer = { leadId: lead.id, rotationId: rotation, instanceName: ana.instanceName }
    expect(events).toEqual([
      { type: 'lead.offered', contact_id: lead.id, data: offer },
      { type: 'lead.accepted', contact_id: lead.id, data: offer },
      {
        type: 'broker.link_lost',
        contact_id: null,
        data: { instanceName: bia.instanceName, state: 'close' },
      },
    ])
  })

  test('none of a rolled back transaction', async () => {
    await makeHook()
    await db.transaction((query) => makeContact({ ...db, query }, ana.instanceName), { rollback: true })
    expect(await queued()).toEqual([])
  })
})

describe('each type, from the action that causes it', () => {
  const PHONES = ['5511955550101', '5511955550202'] as const
  const rpc = async (who: Calls, name: string, given: object) => {
    const { status, body } = await who.call(`/rest/v1/rpc/${name}`, {
      p_operation_id: randomUUID(),
      ...given,
    })
    expect([status, body]).toMatchObject([200, { success: true }])
    return body
  }
  const lead = async () => (await makeContact(db, ana.instanceName, { number: nextNumber() })).id

  async function connect(who: Calls, { instanceName }: MadeBroker, number: string) {
    await portal.through(who.call('/api/instance/connect', {}))
    portal.control.scan({ instance: instanceName, number })
    const isOpen = async () => {
      while ((await who.call('/api/instance?fresh=1')).body['number'] !== number);
    }
    await portal.through(isOpen())
  }
  /** A message to the broker's phone; returns its row. */
  async function receive(text: string): Promise<{ leadId: number; messageId: number }> {
    const from = nextNumber()
    portal.control.receive({ instance: ana.instanceName, from, name: 'Lia', text })
    const came = eventually(async () => {
      const { rows } = await db.query<{ leadId: number; messageId: number }>(
        `select c.id as "leadId", m.id as "messageId" from public.whatsapp_contacts c
         join public.whatsapp_messages m on m.contact_id = c.id and m.type = 'incoming' where c.number = $1`,
        [from],
      )
      return rows[0] ?? expect.fail('not there yet')
    })
    return portal.through(came)
  }
  async function answerLead(leadId: number): Promise<number> {
    const text = { contactId: leadId, text: 'Bom dia!', operationId: randomUUID() }
    expect((await asAna.call('/api/messages/text', text)).status).toBe(200)
    const [sent] = await portal.through(untilMessages(db, leadId, areSettled))
    return sent?.id ?? expect.fail()
  }
  async function offer() {
    const rotation = await makeSeatedRotation(db, [ana], { needs_acceptance: true })
    const distributor = openDistributor(db, portal.clock)
    const { contactId } = await takeLead(distributor, { development: rotation.name })
    await distributor.run()
    const told = { leadId: contactId, rotationId: rotation.id, instanceName: ana.instanceName }
    return { told, caseId: (await routingCaseOf(db, contactId)).id }
  }
  async function move(to: string) {
    const leadId = await lead()
    await rpc(asAna, 'atualizar_status_lead', { p_contact_id: leadId, p_novo_status: to })
    return { leadId, from: 'new', to }
  }
  const TEN = comingSaturday()(31, 10).getTime()
  let visits = 0
  async function book() {
    const [leadId, at] = [await lead(), new Date(TEN + 2 * visits++ * 60 * MINUTE)]
    const { action_id } = await rpc(asAna, 'visit_save', { p_contact_id: leadId, p_starts_at: at })
    // The database's format of an instant.
    return { leadId, visitId: action_id, startsAt: at.toISOString().replace('.000Z', '+00:00') }
  }
  async function settle(p_outcome: string, by = 'visit_outcome') {
    const told = await book()
    await rpc(asAna, by, { p_contact_id: told.leadId, p_action_id: told.visitId, p_outcome })
    return told
  }

  /** Each acts through the portal and returns the expected event data. */
  const DEEDS: Record<EventType, () => Promise<Record<string, unknown>>> = {
    'lead.created': async () => {
      const { contact_id } = await rpc(asAna, 'lead_add', { p_name: 'Sandra', p_number: nextNumber() })
      return { leadId: contact_id, instanceName: ana.instanceName, stage: 'new' }
    },
    'lead.assigned': async () => {
      const leadId = await lead()
      const to = { p_contact_ids: [leadId], p_broker_name: bia.instanceName }
      await asAdmin.call('/rest/v1/rpc/transferir_leads', to)
      return { leadId, from: ana.instanceName, instanceName: bia.instanceName }
    },
    'lead.offered': async () => (await offer()).told,
    'lead.accepted': async () => {
      const { told, caseId } = await offer()
      await asAna.call(`/api/roleta/mine/${caseId}/accept`, { operationId: randomUUID() })
      return told
    },
    'lead.answered': async () => {
      const { leadId } = await receive('Ainda tem?')
      await answerLead(leadId)
      return { leadId, instanceName: ana.instanceName }
    },
    'lead.moved': () => move('conversa'),
    'lead.won': () => move('fechado'),
    'lead.lost': () => move('arquivado'),
    'lead.opted_out': async () => ({ leadId: (await receive('SAIR')).leadId }),
    'message.received': async () => ({ ...(await receive('Oi')), kind: 'text', author: 'lead' }),
    'message.sent': async () => {
      const { leadId } = await receive('Ainda tem?')
      return { leadId, messageId: await answerLead(leadId), kind: 'text', author: 'human' }
    },
    'broker.link_lost': async () => {
      await connect(asBia, bia, PHONES[1])
      portal.control.unlink({ instance: bia.instanceName })
      await portal.through(
        eventually(async () =>
          expect((await asBia.call('/api/instance')).body).toMatchObject({ state: 'close' }),
        ),
      )
      return { instanceName: bia.instanceName, state: 'close' }
    },
    'campaign.finished': async () => {
      const { id } = await makeCampaign(db, ana.id, { status: 'running' })
      expect((await asAna.call(`/api/campaigns/${id}/stop`, { operationId: randomUUID() })).status).toBe(200)
      return { campaignId: id, brokerId: ana.id, status: 'stopped' }
    },
    'import.finished': async () => {
      const id = randomUUID()
      const whole = { id, fileName: 'lista.csv', total: 2, destination: 'inbox' }
      await asAdmin.call('/api/imports', whole)
      const rows = [
        [2, 'Sandra', nextNumber()],
        [3, 'Sem Fone', null],
      ]
      await asAdmin.call(`/api/imports/${id}/rows`, { rows })
      const told = { importId: id, state: 'finished', added: 1, known: 0, refused: 1 }
      await eventually(async () => {
        const { imports } = (await asAdmin.call('/api/imports')).body
        expect(imports).toContainEqual(expect.objectContaining({ id, state: 'finished' }))
      })
      return told
    },
    'visit.booked': book,
    'visit.moved': async () => {
      const { leadId, visitId } = await book()
      const at = new Date(TEN + 2 * visits++ * 60 * MINUTE)
      const moved = { p_contact_id: leadId, p_action_id: visitId, p_starts_at: at }
      await rpc(asAna, 'visit_save', moved)
      return { leadId, visitId, startsAt: at.toISOString().replace('.000Z', '+00:00') }
    },
    'visit.held': () => settle('held'),
    'visit.missed': () => settle('missed'),
    'visit.cancelled': () => settle('removed', 'action_finish'),
    'development.changed': async () => {
      const { id: developmentId } = await makeDevelopment(db)
      await asAdmin.call(`/api/developments/${developmentId}/archive`, { isArchived: true })
      return { developmentId, isArchived: true }
    },
    'material.sent': async () => {
      const { id: developmentId } = await makeDevelopment(db)
      const { id: leadId } = await makeContact(db, ana.instanceName)
      await makeMessage(db, leadId)
      const things = [{ operationId: randomUUID(), kind: 'text', text: '2 quartos' }]
      const asked = { p_contact_id: leadId, p_development_id: developmentId, p_things: things }
      const { body } = await asAna.call('/rest/v1/rpc/material_send', {
        ...asked,
        p_operation_id: randomUUID(),
      })
      return { leadId, instanceName: ana.instanceName, developmentId, messageIds: body['messages'] }
    },
  }

  const documented = readFileSync('docs/integracoes.md', 'utf8')

  test.each(EVENT_TYPES)('%s', async (type) => {
    if ((await asAna.call('/api/instance')).body['number'] !== PHONES[0]) await connect(asAna, ana, PHONES[0])
    await makeHook([type])
    const data = await DEEDS[type]()
    const { sent, run } = deliverer()
    const told = await eventually(async () => {
      await run()
      // Events of an earlier action may still arrive.
      const of = sent.filter(({ leadId }) => leadId === data['leadId'])
      expect(of).toHaveLength(1)
      return of
    })
    const row = documented.split('\n').find((line) => line.startsWith(`- \`${type}\`: `))
    expect(/\(([^()]*)\)$/.exec(row ?? '')?.[1]?.match(/\w+/g)).toEqual(Object.keys(data))
    const described = toJsonSchema(EVENT_DATA[type])
    expect(described['required']).toEqual(Object.keys(data))
    expect(v.safeParse(EVENT_DATA[type], data).issues).toBe(undefined)
    // The library of Standard Webhooks verifies the signature.
    const [{ headers, body } = expect.fail()] = told
    expect(new Webhook(SECRET).verify(body, headers)).toEqual({ type, timestamp: expect.any(String), data })
  })
})

describe('delivery', () => {
  test('during a change of secrets both sign, and only then', async () => {
    const hook = await makeHook()
    const old = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
    await db.query('update portal.hooks set old_secret = $2, old_secret_until = $3 where id = $1', [
      hook,
      old,
      new Date(Date.now() + 2 * MINUTE).toISOString(),
    ])
    const { sent, run } = deliverer()
    await makeContact(db, ana.instanceName)
    await run()
    await makeContact(db, ana.instanceName)
    await run(2 * MINUTE)
    const verifies = (secret: string, { headers, body }: Sent) => {
      try {
        return Boolean(new Webhook(secret).verify(body, headers))
      } catch {
        return false
      }
    }
    const signedBy = (one: Sent) => [SECRET, old, other].filter((secret) => verifies(secret, one))
    expect(sent.map(signedBy)).toEqual([[SECRET, old], [SECRET]])
  })

  test('a failure delays later events of its lead, not those of others, and repeats have the same id', async () => {
    await makeHook()
    const [one, other] = [await makeContact(db, ana.instanceName), await makeContact(db, ana.instanceName)]
    await db.query(`update whatsapp_contacts set status = 'conversa' where id in ($1, $2)`, [
      one.id,
      other.id,
    ])
    let isUp = false
    const { sent, run } = deliverer(({ leadId }) => (isUp || leadId === other.id ? taken : failed))
    await run()
    const of = (id: number) => sent.filter(({ leadId }) => leadId === id)
    expect(of(one.id).map(({ type }) => type)).toEqual(['lead.created'])
    expect(of(other.id).map(({ type }) => type)).toEqual(['lead.created', 'lead.moved'])
    isUp = true
    await run(MINUTE - 1)
    expect(of(one.id)).toHaveLength(1)
    await run(1)
    expect(of(one.id).map(({ type }) => type)).toEqual(['lead.created', 'lead.created', 'lead.moved'])
    expect(of(one.id)[1]?.id).toBe(of(one.id)[0]?.id)
  })

  test('waits twice as long each time, a day at most, and the address is paused after 20 failures in a row', async () => {
    const device = await adminDevice()
    const outdated = async () =>
      (await db.query('select portal.outdated_pushes(now()) as id')).rows.map(({ id }) => id)
    const hook = await makeHook(['lead.created'])
    await makeContact(db, ana.instanceName)
    const { sent, run, clock } = deliverer(() => failed)
    const waits: number[] = []
    await run()
    const due = async () => (await db.query<{ due_at: string }>('select due_at from portal.event_out')).rows
    const inMinutes = async () => Math.round((Date.parse((await due())[0]!.due_at) - clock.now()) / MINUTE)
    while (sent.length < 20) {
      waits.push(await inMinutes())
      await run(waits.at(-1)! * MINUTE + 1_000)
    }
    expect(waits.slice(0, 4)).toEqual([1, 2, 4, 8])
    expect(Math.max(...waits)).toBe(1440)
    expect(await hookState(hook)).toEqual({ state: 'paused', reason: 'failures', failures: 20 })
    await run(48 * 60 * MINUTE)
    expect(sent).toHaveLength(20)
    const { rows: events } = await db.query(
      `select d.id, q.kind from portal.push_queue q join portal.push_devices d on d.id = q.device_id`,
    )
    expect(events).toEqual([{ id: device, kind: 'webhook' }])
    expect(await outdated()).toEqual([])
    // Another paused address says nothing about this one.
    await db.query(
      `insert into portal.hooks (name, url, events, secret, secret_tail, state, reason)
       values ('BI', 'https://bi.example.com', $1, $2, 'abcd', 'off', 'gone')`,
      [['lead.created'], SECRET],
    )
    expect(await toldOfHooks()).toEqual([{ name: 'ERP', isGone: false }])
    await db.exec('update portal.push_queue set claimed_by = null, claimed_until = null')
    expect((await asAdmin.call(`/api/webhooks/${hook}/state`, { state: 'active' })).status).toBe(200)
    // A push about it is outdated.
    expect(await outdated()).toHaveLength(1)
    await run()
    expect(sent).toHaveLength(21)
    // After the recovery, retries start with the shortest wait.
    expect(await inMinutes()).toBe(1)
    expect(await audited('webhook')).toEqual([
      ['webhook.added', null],
      ['webhook.paused', null],
      ['webhook.added', null],
      ['webhook.active', 'chefe'],
    ])
  })

  test('410 disables the address, and the administrators are told which and why', async () => {
    await adminDevice()
    const hook = await makeHook()
    await makeContact(db, ana.instanceName)
    await deliverer(() => ({ ...failed, status: 410 })).run()
    expect(await hookState(hook)).toMatchObject({ state: 'off', reason: 'gone' })
    expect(await toldOfHooks()).toEqual([{ name: 'ERP', isGone: true }])
  })

  describe('many events that wait', () => {
    const wait = (hook: string, leads: number, each: number) =>
      db.query(
        `insert into portal.event_out (hook_id, type, contact_id, data)
         select $1, 'lead.moved', lead, '{}' from generate_series(1, $3) as round, generate_series(1, $2) as lead`,
        [hook, leads, each],
      )
    /** How many rows of events that statement reads and writes. */
    const touched = (work: (query: Database['query']) => Promise<unknown>) =>
      db.transaction(async (query) => {
        const soFar = async () =>
          (
            await query<{ read: number; written: number }>(
              `select (seq_tup_read + idx_tup_fetch)::int as read, n_tup_upd::int as written
               from pg_stat_xact_user_tables where relid = 'portal.event_out'::regclass`,
            )
          ).rows[0]!
        const before = await soFar()
        await work(query)
        const after = await soFar()
        return { read: after.read - before.read, written: after.written - before.written }
      })
    const claim = () =>
      touched((query) =>
        query('select portal.claim_events($1, $2, 30, 16)', [
          randomUUID(),
          new Date(Date.now() + MINUTE).toISOString(),
        ]),
      )

    test('a claim reads no more of them in a long queue than in a short one', async () => {
      await wait(await makeHook(), 20, 1)
      const short = await claim()
      expect(short).toMatchObject({ written: 16 })
      await db.exec('delete from portal.hooks')
      await wait(await makeHook(), 200, 10)
      expect(await claim()).toEqual(short)
    })

    test('resuming an address writes only those that are retried later', async () => {
      const hook = await makeHook()
      await wait(hook, 20, 10)
      const { run } = deliverer(() => failed)
      await run()
      const retried = await db.query(`select from portal.event_out where tries > 0`)
      const { written } = await touched((query) => createHookStore({ query }).setState(hook, 'active'))
      expect(written).toBe(retried.rowCount)
      expect(
        (await db.query('select from portal.event_out where due_at > now() or tries > 0')).rowCount,
      ).toBe(0)
    })
  })

  test('events in progress when a portal ended are sent again, with their id, after the lease', async () => {
    await makeHook()
    const lead = await makeContact(db, ana.instanceName)
    await db.query(`select portal.claim_events($1, $2, 30, 10)`, [
      randomUUID(),
      new Date(Date.now() + MINUTE).toISOString(),
    ])
    const { sent, run } = deliverer()
    await run()
    expect(sent).toEqual([])
    await run(31_000)
    expect(sent).toMatchObject([{ type: 'lead.created', leadId: lead.id }])
  })

  test.runIf(isDeepRun)('a receiver that fails at random gets everything, each lead in order', async () => {
    await makeHook(['lead.created', 'lead.moved'])
    const leads = []
    for (let made = 0; made < 20; made++) leads.push(await makeContact(db, ana.instanceName))
    for (let moves = 0; moves < 10; moves++)
      await db.query(`update whatsapp_contacts set status = $1 where "instanceName" = $2`, [
        moves % 2 === 0 ? 'conversa' : 'new',
        ana.instanceName,
      ])
    let seed = 7
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    const got: string[] = []
    const answer = (sent: Sent) => {
      if (random() < 0.3) return failed
      got.push(sent.id)
      return taken
    }
    const portals = [deliverer(answer), deliverer(answer)]
    const left = async () => (await queued()).some(({ state }) => state === 'waiting')
    await Promise.all(portals.map(({ run }) => run()))
    while (await left()) await Promise.all(portals.map(({ run }) => run(30 * MINUTE)))
    const { rows } = await db.query<{ id: string; lead: number }>(
      'select message_id as id, contact_id as lead from portal.event_out e order by e.id',
    )
    expect(got.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
    const leadOf = new Map(rows.map(({ id, lead }) => [id, lead]))
    for (const lead of leads)
      expect(got.filter((id) => leadOf.get(id) === lead.id)).toEqual(
        rows.filter((row) => row.lead === lead.id).map(({ id }) => id),
      )
  })
})
