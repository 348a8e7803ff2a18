// Plans that begin by themselves: by a source's rule, and by an agent whose last answer got none. They send published
// texts only, and an agent's stop with its mode, its brake and anybody who takes over.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { asUser } from '#server/db/as-user.ts'
import { startPlans } from '#server/plans/plans.ts'
import type { Talk } from '#tests/support/agent-dialogue.ts'
import { openTalks } from '#tests/support/agent-talks.ts'
import { makeBroker, makeContact, makeMessage, signIn, signInAdmin } from '#tests/support/make.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'
import { callAs, queueDue } from '#tests/support/scheduled.ts'

const { db, nextTalk } = await openTalks()
const asAdmin = await signInAdmin(db)
await db.query('update public.campaign_settings set opens_at = 0, closes_at = 24, sends_on_sundays = true')
const DAY_MS = 86_400_000
const agoSeconds = (days: number) => Math.floor((Date.now() - days * DAY_MS) / 1000)

const TEMPLATE = [
  { day: 1, minute: 600, kind: 'message', text: 'Oi, {nome}! Viu a tabela?' },
  { day: 2, minute: 600, kind: 'call', text: '' },
  { day: 4, minute: 600, kind: 'message', text: '' },
  { day: 5, minute: 600, kind: 'message', text: 'Ainda faz sentido?' },
]
const publish = (steps: object[] = TEMPLATE) =>
  callAs(db, asAdmin, 'plan_template_save', { p_development_id: null, p_steps: JSON.stringify(steps) })

const plansOf = async (leadId: number) => {
  const { rows } = await db.query<{ state: string; reason: string | null; by: string; steps: object[] }>(
    `select state, reason, started_by as by, portal.steps_of_plan(id) as steps from portal.lead_plans
     where contact_id = $1 order by id`,
    [leadId],
  )
  return rows
}
const sentBy = async (leadId: number) => {
  const { rows } = await db.query<{ body: string; author: string }>(
    `select m.body, m.author from whatsapp_messages m join portal.scheduled_messages s on s.message_id = m.id
     where m.contact_id = $1 order by m.id`,
    [leadId],
  )
  return rows
}

let talk: Talk
beforeEach(async () => {
  talk = await nextTalk()
  await db.exec('delete from portal.plans; delete from portal.lead_plans')
})

describe('the rule of a source', () => {
  async function openSource(since: string | null = new Date(Date.now() - 30 * DAY_MS).toISOString()) {
    const key = randomUUID()
    await db.query(
      `insert into portal.intake_keys (id, kind, name, hash, settings, per_minute, created_by, created_at)
       values ($1, 'form', 'Site', sha256($2), $3, 60, 'chefe', now())`,
      [key, Buffer.from(key), JSON.stringify(since === null ? {} : { plansSince: since })],
    )
    const broker = await makeBroker(db)
    /** A lead that came by the source `days` ago, was answered, and never wrote. */
    const silent = async (days = 4, columns = {}) => {
      const { id } = await makeContact(db, broker.instanceName, { name: 'Rogério Bastos', ...columns })
      await db.query(
        `insert into portal.lead_intakes (contact_id, key_id, source, received_at) values ($1, $2, 'Site', to_timestamp($3))`,
        [id, key, agoSeconds(days)],
      )
      await makeMessage(db, id, { type: 'outgoing', timestamp: agoSeconds(days) + 60 })
      return id
    }
    return { key, broker, silent, as: await signIn(db, broker) }
  }

  test('begins a plan once for a silent lead, with the published texts and reminders', async () => {
    await publish()
    const { silent } = await openSource()
    const id = await silent()
    expect(await startPlans(db, Date.now())).toBe(1)
    expect(await startPlans(db, Date.now())).toBe(0)
    expect(await plansOf(id)).toMatchObject([
      {
        state: 'running',
        by: 'source',
        steps: [
          { kind: 'message', text: 'Oi, Rogério! Viu a tabela?', sends: true },
          { kind: 'call', sends: false },
          { kind: 'message', text: '', sends: false },
          { kind: 'message', text: 'Ainda faz sentido?', sends: true },
        ],
      },
    ])
    await queueDue(db, Date.now() + 2 * DAY_MS - 1)
    // No figure counts such a text as a person's answer.
    for (const { author } of await sentBy(id)) expect(author).toBe('campaign')
  })

  test('without a template it reminds the broker, and sends nothing', async () => {
    const { silent } = await openSource()
    const id = await silent()
    expect(await startPlans(db, Date.now())).toBe(1)
    expect(await plansOf(id)).toMatchObject([
      { steps: [{ sends: false }, { sends: false }, { sends: false }] },
    ])
  })

  test.each<[string, string | null]>([
    ['whose source has no such rule', null],
    ['that came before the rule', new Date(Date.now() - 3 * DAY_MS).toISOString()],
  ])('begins none for a lead %s', async (_, since) => {
    await publish()
    const { silent } = await openSource(since)
    const id = await silent()
    expect(await startPlans(db, Date.now())).toBe(0)
    expect(await plansOf(id)).toEqual([])
  })

  test.each<[string, (id: number) => Promise<unknown>]>([
    ['that wrote yesterday', (id) => makeMessage(db, id, { timestamp: agoSeconds(1) })],
    ['that waits for us', (id) => makeMessage(db, id, { timestamp: agoSeconds(3) })],
    [
      'won or lost',
      (id) => db.query(`update whatsapp_contacts set status = 'arquivado' where id = $1`, [id]),
    ],
    [
      'that opted out',
      (id) =>
        db.query(
          'update portal.people set opted_out_at = now() where id = (select person_id from whatsapp_contacts where id = $1)',
          [id],
        ),
    ],
    [
      'with a next step',
      (id) =>
        db.query(
          `insert into portal.actions (contact_id, kind, due_at, seen_at) values ($1, 'call', now(), now())`,
          [id],
        ),
    ],
    [
      'for which a person wanted none',
      (id) => callAs(db, asAdmin, 'plan_stop', { p_contact_id: id, p_reason: 'declined' }),
    ],
  ])('begins none for a lead %s', async (_, change) => {
    await publish()
    const { silent } = await openSource()
    const id = await silent()
    await change(id)
    expect(await startPlans(db, Date.now())).toBe(0)
  })

  test.runIf(isDeepRun)('begins fifty in one round at most, and is set by administrators only', async () => {
    const { silent, as } = await openSource()
    for (let at = 0; at < 51; at++) await silent()
    expect(await startPlans(db, Date.now())).toBe(50)
    expect(await startPlans(db, Date.now())).toBe(1)
    await expect(
      asUser(db, as, (query) => query('select portal.silent_leads(now(), 1)')),
    ).rejects.toMatchObject({ code: '42501' })
  })
})

describe('an agent that follows up', () => {
  /** A lead that the agent answered `days` ago. */
  async function answered(days = 3) {
    talk.model.plan({ text: 'Sou o assistente da casa. Quer ver a planta?' })
    const lead = await talk.lead({ name: 'Rogério Bastos', empreendimento: 'Mirante' })
    await talk.says(lead, 'Oi, quero saber do Mirante')
    await talk.pass(9)
    await db.query(
      'update portal.outgoing set "instanceName" = null where message_id in (select id from whatsapp_messages where contact_id = $1)',
      [lead],
    )
    await db.query(
      `update whatsapp_messages set "timestamp" = "timestamp" - $2, delivery = case when type = 'outgoing' then 'read' end
       where contact_id = $1`,
      [lead, days * 86_400],
    )
    await db.query('delete from portal.outgoing')
    await db.query(
      `update portal.agent_turns set began_at = began_at - make_interval(days => $2), ended_at = ended_at - make_interval(days => $2)
       where contact_id = $1`,
      [lead, days],
    )
    return lead
  }
  const followUp = (isOn = true) => db.query('update portal.agent_settings set follows_up = $1', [isOn])

  test('writes the published texts alone, as the agent', async () => {
    await publish()
    await followUp()
    const lead = await answered()
    expect(await startPlans(db, Date.now())).toBe(1)
    expect(await plansOf(lead)).toMatchObject([
      {
        by: 'agent',
        state: 'running',
        steps: [{ text: 'Oi, Rogério! Viu a tabela?' }, { text: 'Ainda faz sentido?' }],
      },
    ])
    const { rows } = await db.query<{ due: string }>(
      'select min(due_at) as due from portal.scheduled_messages where contact_id = $1',
      [lead],
    )
    await queueDue(db, Date.parse(String(rows[0]?.due)))
    expect(await sentBy(lead)).toEqual([{ body: 'Oi, Rogério! Viu a tabela?', author: 'agent' }])
  })

  test.each<[string, () => Promise<unknown>]>([
    ['that is not switched on', () => followUp(false)],
    ['without a published text', () => publish([{ day: 1, minute: 600, kind: 'call', text: '' }])],
    ['that only suggests', () => db.exec(`update portal.agent_settings set mode = 'suggest'`)],
    ['that is paused', () => db.exec('update public.prompts_agents set paused_at = now()')],
    ['after a person wrote', async () => void (await talk.human((await lastLead()) ?? 0))],
  ])('an agent %s begins none', async (_, change) => {
    await publish()
    await followUp()
    await answered()
    await change()
    expect(await startPlans(db, Date.now())).toBe(0)
  })

  test('may not write while its brake holds', async () => {
    await followUp()
    const lead = await answered(0)
    const mayTry = async () => {
      const { rows } = await db.query<{ may: boolean }>('select portal.agent_may_try($1, $2, now()) as may', [
        talk.agent.id,
        lead,
      ])
      return rows[0]?.may
    }
    expect(await mayTry()).toBe(true)
    await db.exec('update portal.agent_settings set most_a_day = 1')
    expect(await mayTry()).toBe(false)
  })

  test.each<[string, string, (lead: number) => Promise<unknown>]>([
    ['its mode changes', 'agent', () => db.exec(`update portal.agent_settings set mode = 'off'`)],
    ['a person takes over', 'agent', (lead) => talk.human(lead)],
    ['the lead answers', 'answered', (lead) => talk.says(lead, 'Vi sim!')],
  ])('its plan ends when %s', async (_, reason, change) => {
    await publish()
    await followUp()
    const lead = await answered()
    await startPlans(db, Date.now())
    await change(lead)
    const { rows } = await db.query<{ due: string }>(
      'select min(due_at) as due from portal.scheduled_messages where contact_id = $1',
      [lead],
    )
    await queueDue(db, Date.parse(String(rows[0]?.due)))
    expect(await plansOf(lead)).toMatchObject([{ state: 'ended', reason }])
    expect(await sentBy(lead)).toEqual([])
  })
})

async function lastLead() {
  const { rows } = await db.query<{ id: number }>('select max(id) as id from whatsapp_contacts')
  return rows[0]?.id
}
