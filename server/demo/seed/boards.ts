// Inserts the leads: persons, contacts, messages and the history of every card.
import type { Query } from '#server/db/database.ts'
import { ASSISTANTS } from '../agency/assistants.ts'
import { writeMessages } from '../bulk.ts'
import { toTimestamp } from '../calendar.ts'
import { insertRows, reserveIds } from './insert.ts'
import { settle } from '../leads/settle.ts'
import { lastActivity, stageAt, type DemoLead } from '../leads/story.ts'
import type { Scenario } from '../scenario.ts'

type Placed = DemoLead & { id: number; personId: number }

/** Returns the leads with their ids. */
export async function seedBoards(query: Query, scenario: Scenario): Promise<readonly Placed[]> {
  // The rows contain their dates and moves, so triggers that write today's are disabled. Columns that
  // contacts derive from messages are computed once at the end.
  await query(
    `alter table public.whatsapp_contacts disable trigger guard_contact, disable trigger record_first_stage`,
  )
  const leads = await writeMessages(query, () => seedLeads(query, scenario))
  await query(
    `alter table public.whatsapp_contacts enable trigger guard_contact, enable trigger record_first_stage`,
  )
  return leads
}

async function seedLeads(query: Query, scenario: Scenario): Promise<readonly Placed[]> {
  const leads = await seedPeople(query, scenario.leads)
  await seedContacts(query, leads)
  await seedMessages(query, leads, scenario)
  await seedHistory(query, leads)
  await query(`analyze public.whatsapp_contacts, public.whatsapp_messages`)
  await query(`select portal.carry($1::bigint[])`, [leads.map(({ id }) => String(id))])
  return leads
}

async function seedPeople(query: Query, leads: readonly DemoLead[]): Promise<Placed[]> {
  const byNumber = new Map<string, { optedOutAt: number | null; createdAt: number }>()
  for (const { person, createdAt, optedOutAt } of leads) {
    const known = byNumber.get(person.number)
    byNumber.set(person.number, {
      createdAt: Math.min(createdAt, known?.createdAt ?? createdAt),
      optedOutAt: optedOutAt ?? known?.optedOutAt ?? null,
    })
  }
  const firstPersonId = await reserveIds(query, 'portal.people', byNumber.size)
  const people = [...byNumber].map(([number, { createdAt, optedOutAt }], index) => ({
    id: firstPersonId + index,
    number,
    opted_out_at: orNull(optedOutAt),
    created_at: toTimestamp(createdAt),
  }))
  await query(
    `insert into portal.people (id, number_key, opted_out_at, created_at) overriding system value
     select id, portal.number_key(number), opted_out_at, created_at
     from json_to_recordset($1::json) as rows (id bigint, number text, opted_out_at timestamptz, created_at timestamptz)`,
    [JSON.stringify(people)],
  )
  const idOf = new Map(people.map(({ id, number }) => [number, id]))
  const firstContactId = await reserveIds(query, 'public.whatsapp_contacts', leads.length)
  return leads
    .toSorted((one, other) => one.createdAt - other.createdAt)
    .map((lead, index) => ({
      ...lead,
      id: firstContactId + index,
      personId: idOf.get(lead.person.number) ?? 0,
    }))
}

/** In cents: two of three leads with a conversation have a value. */
const VALUES = [28_500_000, 34_900_000, null, 41_200_000, 56_000_000, null, 79_000_000, 120_000_000, null]
const LOSSES = [
  'no_answer',
  'no_means',
  'bought_elsewhere',
  'no_answer',
  'not_wanted',
  null,
  'other',
] as const

/** The first broker's leads have no value, so that a visitor can enter one. */
function worthOf({ broker, moves }: Placed, index: number) {
  const stage = stageAt(moves, Infinity)
  const isKnown = stage !== 'new' && broker.instanceName !== 'corretor_camila'
  return {
    value_cents: isKnown ? (VALUES[index % VALUES.length] ?? null) : null,
    loss_reason: isKnown && stage === 'arquivado' ? (LOSSES[index % LOSSES.length] ?? null) : null,
  }
}

async function seedContacts(query: Query, leads: readonly Placed[]) {
  const columns = {
    id: 'bigint',
    instanceName: 'text',
    person_id: 'bigint',
    name: 'text',
    number: 'text',
    notes: 'text',
    status: 'text',
    source: 'text',
    campaign: 'text',
    empreendimento: 'text',
    remarketing_sent_at: 'timestamptz',
    won_at: 'timestamptz',
    value_cents: 'bigint',
    loss_reason: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  }
  const contacts = leads.map((lead, index) => ({
    id: lead.id,
    instanceName: lead.broker.instanceName,
    person_id: lead.personId,
    name: lead.person.name,
    number: lead.person.number,
    notes: lead.notes,
    status: stageAt(lead.moves, Infinity),
    source: lead.source,
    campaign: lead.adCampaign,
    empreendimento: lead.development,
    remarketing_sent_at: orNull(lead.remarketingSentAt),
    won_at: orNull(lead.moves.find(({ to }) => to === 'fechado')?.at ?? null),
    ...worthOf(lead, index),
    created_at: toTimestamp(lead.createdAt),
    updated_at: toTimestamp(lastActivity(lead)),
  }))
  await insertRows(query, { table: 'public.whatsapp_contacts', columns, withIds: true }, contacts)

  const identities = leads.map((lead) => ({
    jid: `${lead.person.number}@s.whatsapp.net`,
    instanceName: lead.broker.instanceName,
    person_id: lead.personId,
    first_seen_at: toTimestamp(lead.createdAt),
  }))
  const identityColumns = {
    jid: 'text',
    instanceName: 'text',
    person_id: 'bigint',
    first_seen_at: 'timestamptz',
  }
  await insertRows(query, { table: 'portal.identities', columns: identityColumns }, identities)
}

async function seedMessages(query: Query, leads: readonly Placed[], { calendar, random }: Scenario) {
  const columns = {
    contact_id: 'bigint',
    instanceName: 'text',
    message_id: 'text',
    from_number: 'text',
    body: 'text',
    timestamp: 'bigint',
    type: 'text',
    author: 'text',
    read: 'boolean',
    delivery: 'text',
  }
  const derived = {
    from: `from_number || '@s.whatsapp.net'`,
    created_at: 'to_timestamp("timestamp")',
  }
  const messages = leads.flatMap((lead) => {
    const line = ASSISTANTS[lead.development ?? '']
    const handover = lead.messages.findLastIndex(({ by }) => by === 'agent')
    return settle(lead.messages, calendar.now, random).map(({ at, by, body, isRead, delivery }, index) => {
      const via =
        line && index <= handover
          ? line
          : { instanceName: lead.broker.instanceName, number: lead.broker.number }
      return {
        contact_id: lead.id,
        instanceName: via.instanceName,
        from_number: by === 'lead' ? lead.person.number : via.number,
        body,
        timestamp: at,
        type: by === 'lead' ? 'incoming' : 'outgoing',
        author: by === 'agent' || by === 'campaign' ? by : 'human',
        read: isRead,
        delivery,
      }
    })
  })
  const inOrder = messages
    .toSorted((one, other) => one.timestamp - other.timestamp)
    .map((message, index) => ({ ...message, message_id: `DEMO${String(index).padStart(8, '0')}` }))
  await insertRows(query, { table: 'public.whatsapp_messages', columns, derived }, inOrder)
}

async function seedHistory(query: Query, leads: readonly Placed[]) {
  const columns = {
    contact_id: 'bigint',
    from_status: 'text',
    to_status: 'text',
    account_id: 'uuid',
    changed_by: 'text',
    changed_at: 'timestamptz',
  }
  const history = leads.flatMap(({ id, broker, createdAt, moves }) => [
    {
      contact_id: id,
      from_status: null,
      to_status: 'new',
      account_id: null,
      changed_by: 'portal',
      at: createdAt,
    },
    ...moves.map(({ at, to }, index) => ({
      contact_id: id,
      from_status: moves[index - 1]?.to ?? 'new',
      to_status: to,
      account_id: broker.id,
      changed_by: broker.username,
      at,
    })),
  ])
  const inOrder = history
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, ...move }) => ({ ...move, changed_at: toTimestamp(at) }))
  await insertRows(query, { table: 'portal.stage_history', columns }, inOrder)
}

const orNull = (at: number | null) => (at === null ? null : toTimestamp(at))
