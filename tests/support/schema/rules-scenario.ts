// The people and rows that the row-rule proofs look at: an own and another broker's row of every table, and everyone who may ask.
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
  makeQuickReply,
  makeRecipient,
  makeRotation,
  makeSeat,
  makeStage,
  signIn,
  type MadeBroker,
} from '../make.ts'

/** Who asks. `own` below is the broker's; ended, removed and forged are claims that once or never held. */
export const ASKERS = [
  'anon',
  'broker',
  'admin',
  'service',
  'ended',
  'removed',
  'forged',
  'borrowed',
] as const
export type Asker = (typeof ASKERS)[number]

/** Marks in names and texts, so that an answer tells whose rows it was made of. */
export const OWN_MARK = 'zzproprio'
export const OTHER_MARK = 'zzalheio'

export type Scenario = {
  claims: Record<Asker, Claims>
  own: Side
  other: Side
  stage: { id: number; slug: string }
  agentId: number
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
  const leaving = await makeBroker(db)
  const stage = await makeStage(db)
  // Leads of both sides are its conversations: by their development, and by its central instance.
  const agent = await makeAgent(db, {
    nome_agente: `Agente ${OTHER_MARK}`,
    regras_atendimento: OTHER_MARK,
    empreendimento: OTHER_MARK,
    instanceName: own.instanceName,
  })
  await makeChatMessage(db, agent.id, `${CHAT_NUMBER}@s.whatsapp.net`)

  const asBroker = await signIn(db, own)
  const asOther = await signIn(db, other)
  const ended = await signIn(db, own)
  const removed = await signIn(db, leaving)
  await db.query(`update portal.sessions set expires_at = now() - interval '1 second' where id = $1`, [
    String(ended['session_id']),
  ])
  await db.query('delete from public.brokers where id = $1', [leaving.id])
  return {
    own,
    other,
    stage,
    agentId: agent.id,
    claims: {
      anon: { role: 'anon' },
      broker: asBroker,
      admin: await signIn(db, admin),
      service: { role: 'service_role' },
      ended,
      removed,
      // Whoever could sign tokens but has no session: the claims of an administrator open nothing.
      forged: { role: 'authenticated', sub: admin.id, app_metadata: { portal_role: 'admin' } },
      borrowed: { ...asBroker, session_id: asOther['session_id'] },
    },
  }
}

/** Leads of the two sides come in at hours of their own, so that even a report by the hour tells them apart. */
async function makeSide(db: Database, { mark, hour }: { mark: string; hour: string }): Promise<Side> {
  const broker = await makeBroker(db, { instanceName: `corretor_${mark}` })
  const marked = { name: mark, source: mark, campaign: mark, empreendimento: mark }
  const contact = await makeContact(db, broker.instanceName, {
    ...marked,
    created_at: `2026-05-05T${hour}:00:00Z`,
  })
  // One of today, for what looks at the last days only.
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
