// Writes down what the administrator sees beside the boards: campaigns, rotations, agents and what those remember.
import type { Query } from '#server/db/database.ts'
import { AGENTS } from '../house/agents.ts'
import { DAY, toTimestamp } from '../calendar.ts'
import { insertRows, reserveIds } from './insert.ts'
import { ROLETAS } from '../house/roletas.ts'
import type { World } from '../world.ts'

export async function writeHouse(query: Query, world: World) {
  await writeCampaigns(query, world)
  await writeRoletas(query, world)
  await writeAgents(query, world)
}

async function writeCampaigns(query: Query, { campaigns }: World) {
  const columns = {
    broker_id: 'uuid',
    kanban_stage: 'text',
    status: 'text',
    total_contacts: 'integer',
    processed_contacts: 'integer',
    message: 'text',
    created_at: 'timestamptz',
  }
  const rows = campaigns.map((campaign) => ({
    broker_id: campaign.broker.id,
    kanban_stage: campaign.stage,
    status: campaign.status,
    total_contacts: campaign.total,
    processed_contacts: campaign.processed,
    message: campaign.message,
    created_at: toTimestamp(campaign.createdAt),
  }))
  await insertRows(query, { table: 'public.remarketing_campaigns', columns }, rows)
}

async function writeRoletas(query: Query, { calendar, random, brokers, leads }: World) {
  const roletas = ROLETAS.map(({ development, isActive, createdDaysAgo }) => ({
    empreendimento: development,
    ativa: isActive,
    created_at: toTimestamp(calendar.atHour(calendar.now - createdDaysAgo * DAY, 9)),
  }))
  const columns = { empreendimento: 'text', ativa: 'boolean', created_at: 'timestamptz' }
  await insertRows(query, { table: 'public.roletas', columns }, roletas)

  const seats = ROLETAS.flatMap(({ development, seats }) =>
    seats.map(({ username }, index) => ({
      id: random.uuid(),
      roletaName: development,
      instanceName: brokers.find((broker) => broker.username === username)?.instanceName ?? null,
      ordem: index + 1,
      leads_recebidos: leads.filter(
        (lead) => lead.isHandedOut && lead.development === development && lead.broker.username === username,
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

async function writeAgents(query: Query, { leads }: World) {
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
