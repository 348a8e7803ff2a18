// Inserts the administrator's data: campaigns, rotations, agents and their memory.
import type { Query } from '#server/db/database.ts'
import { AGENTS } from '../agency/agents.ts'
import { DAY, toTimestamp } from '../calendar.ts'
import { insertRows, reserveIds } from './insert.ts'
import { ROTATIONS } from '../agency/rotations.ts'
import type { Scenario } from '../scenario.ts'

export async function seedAgency(query: Query, scenario: Scenario) {
  await seedCampaigns(query, scenario)
  await seedRotations(query, scenario)
  await seedAgents(query, scenario)
  await openAllHours(query)
}

/** Campaigns of the demonstration may run at any hour, also at night and on Sundays. */
async function openAllHours(query: Query) {
  await query(
    'update public.campaign_settings set opens_at = 0, closes_at = 24, sends_on_sundays = true where id',
  )
}

async function seedCampaigns(query: Query, { campaigns }: Scenario) {
  const columns = {
    broker_id: 'uuid',
    kanban_stage: 'text',
    status: 'text',
    pause_reason: 'text',
    total_contacts: 'integer',
    processed_contacts: 'integer',
    message: 'text',
    created_at: 'timestamptz',
  }
  const rows = campaigns.map((campaign) => ({
    broker_id: campaign.broker.id,
    kanban_stage: campaign.stage,
    status: campaign.status,
    pause_reason: campaign.fault ?? null,
    total_contacts: campaign.total,
    processed_contacts: campaign.processed,
    message: campaign.message,
    created_at: toTimestamp(campaign.createdAt),
  }))
  await insertRows(query, { table: 'public.remarketing_campaigns', columns }, rows)
  await seedRecipients(query, campaigns)
}

/** Recipients who got a campaign are found in the conversations, the others in the campaign. */
async function seedRecipients(query: Query, campaigns: Scenario['campaigns']) {
  await query(
    `insert into public.campaign_recipients
       (campaign_id, contact_id, person_id, name, body, state, message_id, accepted_at, settled_at, acknowledged)
     select c.id, l.id, l.person_id, l.name, m.body, 'sent', m.id, to_timestamp(m."timestamp"), to_timestamp(m."timestamp"), true
     from (
       select id, broker_id, created_at,
         lead(created_at, 1, 'infinity') over (partition by broker_id order by created_at) as next_at
       from public.remarketing_campaigns
     ) c
     join public.brokers b on b.id = c.broker_id
     join public.whatsapp_contacts l on l."instanceName" = b."instanceName"
     join public.whatsapp_messages m on m.contact_id = l.id and m.author = 'campaign'
       and to_timestamp(m."timestamp") > c.created_at and to_timestamp(m."timestamp") < c.next_at
     order by c.created_at, m."timestamp"`,
  )
  const missed = campaigns.flatMap(({ broker: { instanceName }, createdAt, missed }) =>
    missed.map((each) => ({ ...each, instanceName, at: createdAt })),
  )
  await query(
    `insert into public.campaign_recipients (campaign_id, contact_id, person_id, name, body, state, reason)
     select c.id, l.id, l.person_id, l.name, missed.body,
       case c.status when 'stopped' then 'cancelled' else 'pending' end, case c.status when 'stopped' then 'stopped' end
     from json_to_recordset($1::json) as missed (number text, body text, "instanceName" text, at bigint)
     join public.brokers b using ("instanceName")
     join public.remarketing_campaigns c on c.broker_id = b.id and c.created_at = to_timestamp(missed.at)
     join public.whatsapp_contacts l on l."instanceName" = b."instanceName" and l.number = missed.number`,
    [JSON.stringify(missed)],
  )
}

async function seedRotations(query: Query, { calendar, random, brokers, leads }: Scenario) {
  const rotations = ROTATIONS.map(({ development, isActive, createdDaysAgo }) => ({
    empreendimento: development,
    ativa: isActive,
    created_at: toTimestamp(calendar.atHour(calendar.now - createdDaysAgo * DAY, 9)),
  }))
  const columns = { empreendimento: 'text', ativa: 'boolean', created_at: 'timestamptz' }
  await insertRows(query, { table: 'public.roletas', columns }, rotations)

  const seats = ROTATIONS.flatMap(({ development, seats }) =>
    seats.map(({ username }, index) => ({
      id: random.uuid(),
      roletaName: development,
      instanceName: brokers.find((broker) => broker.username === username)?.instanceName ?? null,
      ordem: index + 1,
      leads_recebidos: leads.filter(
        (lead) => lead.isDistributed && lead.development === development && lead.broker.username === username,
      ).length,
    })),
  )
  const seatColumns = {
    id: 'uuid',
    roletaName: 'text',
    instanceName: 'text',
    ordem: 'integer',
    leads_recebidos: 'integer',
  }
  await insertRows(query, { table: 'public.roleta_corretores', columns: seatColumns }, seats)
}

async function seedAgents(query: Query, { leads }: Scenario) {
  const columns = {
    id: 'integer',
    nome_agente: 'text',
    empreendimento: 'text',
    instanceName: 'text',
    introducao_atendimento: 'text',
    regras_atendimento: 'text',
    atendimento_atendimento: 'text',
    introducao_agendamento: 'text',
    regras_agendamento: 'text',
    atendimento_agendamento: 'text',
    listar_horarios: 'text',
    agendamento: 'text',
  }
  const firstId = await reserveIds(query, 'public.prompts_agents', AGENTS.length)
  const agents = AGENTS.map((agent, index) => ({ id: firstId + index, ...agent }))
  await insertRows(query, { table: 'public.prompts_agents', columns, withIds: true }, agents)

  const memory = agents.flatMap(({ id, empreendimento }) =>
    leads
      .filter(({ development }) => development === empreendimento)
      .flatMap(({ person, messages }) =>
        messages.slice(0, messages.findLastIndex(({ by }) => by === 'agent') + 1).map(({ at, by, body }) => ({
          agent_id: id,
          remotejid: `${person.number}@s.whatsapp.net`,
          message: { type: by === 'lead' ? 'human' : 'ai', content: body },
          created_at: toTimestamp(at),
        })),
      ),
  )
  const memoryColumns = {
    agent_id: 'integer',
    remotejid: 'text',
    message: 'jsonb',
    created_at: 'timestamptz',
  }
  await insertRows(query, { table: 'public.agent_chat_messages', columns: memoryColumns }, memory)
}
