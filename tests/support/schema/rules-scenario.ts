// The people and rows of the row-rule tests: one row of every table for the broker and another broker, and every kind
// of caller.
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import {
  makeAdmin,
  makeAgent,
  makeBroker,
  makeCampaign,
  makeRoutingCase,
  makeChatMessage,
  makeContact,
  makeMessage,
  makeDevelopment,
  makeQuickReply,
  makeRecipient,
  makeRotation,
  makeSeat,
  lead,
  makeManager,
  makeStage,
  makeTeam,
  signIn,
  type MadeBroker,
} from '../make.ts'

/**
 * The callers. `own` rows belong to the broker; the gerente leads that broker's team, the leader does so beside its own
 * leads, the rival leads another team; ended, removed and forged callers have invalid claims.
 */
export const ASKERS = [
  'anon',
  'broker',
  'gerente',
  'leader',
  'rival',
  'admin',
  'service',
  'ended',
  'removed',
  'forged',
  'borrowed',
] as const
export type Asker = (typeof ASKERS)[number]

/** Marks in names and texts, so that an answer shows whose rows it contains. */
export const OWN_MARK = 'zzproprio'
export const OTHER_MARK = 'zzalheio'

export type Scenario = {
  claims: Record<Asker, Claims>
  own: Side
  other: Side
  stage: { id: number; slug: string }
  agentId: number
  /** A conversion about which an administrator decides. */
  conversionId: number
  /** The team of the broker, and the account of its gerente. */
  teamId: string
  managerId: string
  /** One that is not archived, with a plan, a unit and a photo. */
  development: { id: number; fileId: number }
  /** A campaign to a segment, old enough to be read. */
  sendId: number
}

export type Side = MadeBroker & {
  contactId: number
  number: string
  messageId: number
  campaignId: number
  recipientId: number
  roletaId: number
  seatId: string
  quickReplyId: string
}

const CHAT_NUMBER = '5511966665555'

export async function makeScenario(db: Database): Promise<Scenario> {
  const own = await makeSide(db, { mark: OWN_MARK, hour: '08' })
  const other = await makeSide(db, { mark: OTHER_MARK, hour: '12' })
  const admin = await makeAdmin(db)
  const team = await makeTeam(db, { brokers: [own] })
  await db.query('update public.roletas set team_id = $1 where id = $2', [team, own.roletaId])
  const gerente = await makeManager(db, team)
  const leader = await makeBroker(db, { instanceName: 'corretor_lider' })
  await lead(db, leader, team)
  const rival = await makeManager(db, await makeTeam(db, { brokers: [await makeBroker(db)] }))
  const leaving = await makeBroker(db)
  const stage = await makeStage(db)
  // Both sides' leads are this agent's conversations: by their development, and by its central instance.
  const agent = await makeAgent(db, {
    nome_agente: `Agente ${OTHER_MARK}`,
    regras_atendimento: OTHER_MARK,
    empreendimento: OTHER_MARK,
    instanceName: own.instanceName,
  })
  await makeChatMessage(db, agent.id, `${CHAT_NUMBER}@s.whatsapp.net`)

  const { rows: conversions } = await db.query<{ id: number }>(
    `with way as (insert into portal.conversion_targets (target) values ('crm') returning target)
     insert into portal.conversions (contact_id, step, target, event_id, name, happened_at, state)
     select $1, 'sale', target, 'x', 'Venda', now(), 'unsure' from way returning id`,
    [own.contactId],
  )

  const asBroker = await signIn(db, own)
  const asOther = await signIn(db, other)
  const ended = await signIn(db, own)
  const removed = await signIn(db, leaving)
  await db.query(`update portal.sessions set expires_at = now() - interval '1 second' where id = $1`, [
    String(ended['session_id']),
  ])
  await db.query('delete from public.brokers where id = $1', [leaving.id])
  const { rows: sends } = await db.query<{ id: number }>(
    `insert into portal.segment_sends (question, message, sent_by, assigned_at) values ('{}', 'Oi', 'chefe', now() - interval '20 days') returning id`,
  )
  return {
    own,
    other,
    stage,
    agentId: agent.id,
    conversionId: conversions[0]!.id,
    teamId: team,
    managerId: gerente.id,
    development: await makeDevelopment(db),
    sendId: sends[0]!.id,
    claims: {
      anon: { role: 'anon' },
      broker: asBroker,
      gerente: await signIn(db, gerente),
      leader: await signIn(db, leader),
      rival: await signIn(db, rival),
      admin: await signIn(db, admin),
      service: { role: 'service_role' },
      ended,
      removed,
      // A caller who could sign tokens but has no session: claims of an administrator alone give no access.
      forged: { role: 'authenticated', sub: admin.id, app_metadata: { portal_role: 'admin' } },
      borrowed: { ...asBroker, session_id: asOther['session_id'] },
    },
  }
}

/** Each side's leads come in at their own hour, so that even a report by hour distinguishes them. */
async function makeSide(db: Database, { mark, hour }: { mark: string; hour: string }): Promise<Side> {
  const broker = await makeBroker(db, { instanceName: `corretor_${mark}` })
  const marked = { name: mark, source: mark, campaign: mark, empreendimento: mark }
  const contact = await makeContact(db, broker.instanceName, {
    ...marked,
    created_at: `2026-05-05T${hour}:00:00Z`,
  })
  // A lead of today, for reports about the last days.
  await makeContact(db, broker.instanceName, marked)
  const message = await makeMessage(db, contact.id, { instanceName: broker.instanceName, body: mark })
  const campaign = await makeCampaign(db, broker.id)
  const recipient = await makeRecipient(db, campaign.id, contact)
  const rotation = await makeRotation(db, { empreendimento: mark, created_at: '2026-05-01T00:00:00Z' })
  const seat = await makeSeat(db, {
    roletaName: rotation.empreendimento,
    instanceName: broker.instanceName,
    ordem: 1,
  })
  await makeRoutingCase(db, { contactId: contact.id, roletaId: rotation.id }, [
    { kind: 'given', instanceName: broker.instanceName, at: '2026-05-05T12:00:00Z' },
  ])
  const quickReply = await makeQuickReply(db, broker.id, { title: mark })
  return {
    ...broker,
    contactId: contact.id,
    number: contact.number,
    messageId: message.id,
    campaignId: campaign.id,
    recipientId: recipient.id,
    roletaId: rotation.id,
    seatId: seat.id,
    quickReplyId: quickReply.id,
  }
}
