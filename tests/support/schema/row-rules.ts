// What each caller may do with each table of schema public; tests/integration/db/rules-tables tests it. Add new tables
// and columns here.
import { OTHER_MARK, type Side, type Scenario } from './rules-scenario.ts'

/** The rows that a person reaches: none, the calling broker's own, or all. */
export type Reach = 'none' | 'own' | 'all'

/**
 * Rights by caller; a caller without an entry has none. `service` may access all of every table, unless there is an
 * error.
 */
type Reaches = { broker?: Reach; admin?: Reach; gerente?: Reach }

export type TableRule = {
  /** A condition for one row of a side; `null` if rows belong to no broker. */
  rowOf: (side: Side, scenario: Scenario) => string
  isOwned: boolean
  read: Reaches
  remove: Reaches
  /** A valid new row, and who may insert it. */
  insert: { row: (scenario: Scenario) => Record<string, string | number | boolean>; by: Reaches }
  /** The columns that callers may change; only the server changes others. */
  update: Record<string, Reaches>
  /** In SQL: what a test sets a column to. By default its own value, where only a change is refused another one. */
  changed?: Record<string, string>
  /** Columns allowed in an insert; undefined: all of them. */
  insertable?: string[]
}

const ADMIN: Reaches = { admin: 'all' }
const OWN_READ: Reaches = { broker: 'own', admin: 'all', gerente: 'own' }
const ALL_READ: Reaches = { broker: 'all', admin: 'all', gerente: 'all' }
/** Rows that a gerente has no part in. */
const BROKER_READ: Reaches = { broker: 'own', admin: 'all' }
const NOBODY: Reaches = {}
export const PROMPTS = [
  'introducao_atendimento',
  'regras_atendimento',
  'atendimento_atendimento',
  'introducao_agendamento',
  'regras_agendamento',
  'atendimento_agendamento',
]
const byAdmin = (columns: string[]) => Object.fromEntries(columns.map((column) => [column, ADMIN]))

/** What belongs to a development: everyone signed in reads it; only the portal writes. */
const ofDevelopment = (row: Record<string, string | number>): TableRule => ({
  rowOf: (_, { development }) => `development_id = ${development.id}`,
  isOwned: false,
  read: ALL_READ,
  remove: NOBODY,
  insert: { row: ({ development }) => ({ development_id: development.id, ...row }), by: NOBODY },
  update: {},
  insertable: [],
})

export const TABLE_RULES: Record<string, TableRule> = {
  brokers: {
    rowOf: (side) => `id = '${side.id}'`,
    isOwned: true,
    read: OWN_READ,
    remove: ADMIN,
    insert: { row: () => ({ instanceName: 'corretor_novo' }), by: ADMIN },
    update: byAdmin(['instanceId', 'instanceName', 'broker_number', 'status', 'password_hash']),
    insertable: ['id', 'instanceId', 'instanceName', 'broker_number', 'status', 'created_at'],
  },
  kanban_stages: {
    rowOf: (_, scenario) => `id = ${scenario.stage.id}`,
    isOwned: false,
    read: ALL_READ,
    remove: ADMIN,
    insert: { row: () => ({ name: 'Proposta', slug: 'proposta_nova', order_index: 90 }), by: ADMIN },
    update: byAdmin(['id', 'name', 'order_index', 'kind']),
  },
  whatsapp_contacts: {
    rowOf: (side) => `id = ${side.contactId}`,
    isOwned: true,
    read: OWN_READ,
    remove: NOBODY,
    insert: {
      row: (scenario) => ({ instanceName: scenario.own.instanceName, number: '5511900009999' }),
      by: NOBODY,
    },
    update: { name: OWN_READ, notes: OWN_READ, status: ADMIN },
    changed: { status: "'arquivado'" },
    insertable: [],
  },
  whatsapp_messages: {
    rowOf: (side) => `id = ${side.messageId}`,
    isOwned: true,
    read: OWN_READ,
    remove: NOBODY,
    insert: {
      row: (scenario) => ({ contact_id: scenario.own.contactId, timestamp: 1, type: 'incoming' }),
      by: NOBODY,
    },
    update: {},
    insertable: [],
  },
  remarketing_campaigns: {
    rowOf: (side) => `id = ${side.campaignId}`,
    isOwned: true,
    read: BROKER_READ,
    remove: NOBODY,
    insert: {
      row: (scenario) => ({
        broker_id: scenario.own.id,
        kanban_stage: 'new',
        message: 'Olá',
        status: 'stopped',
      }),
      by: NOBODY,
    },
    update: {},
    insertable: [],
  },
  campaign_recipients: {
    rowOf: (side) => `id = ${side.recipientId}`,
    isOwned: true,
    read: BROKER_READ,
    remove: NOBODY,
    insert: {
      row: (scenario) => ({ campaign_id: scenario.own.campaignId, person_id: 2, body: 'Olá' }),
      by: NOBODY,
    },
    update: {},
    insertable: [],
  },
  campaign_settings: {
    rowOf: () => 'id',
    isOwned: false,
    read: ALL_READ,
    remove: NOBODY,
    insert: { row: () => ({ id: false }), by: NOBODY },
    update: {},
    insertable: [],
  },
  roletas: {
    rowOf: (side) => `id = ${side.roletaId}`,
    isOwned: true,
    read: { admin: 'all', gerente: 'own' },
    remove: ADMIN,
    insert: { row: () => ({ empreendimento: 'Roleta nova', ativa: true }), by: ADMIN },
    update: byAdmin(['empreendimento', 'ativa']),
  },
  roleta_corretores: {
    rowOf: (side) => `id = '${side.seatId}'`,
    isOwned: true,
    read: OWN_READ,
    remove: ADMIN,
    insert: {
      row: (scenario) => ({
        id: '00000000-0000-4000-8000-000000000001',
        roletaName: OTHER_MARK,
        instanceName: scenario.own.instanceName,
        ordem: 2,
        leads_recebidos: 0,
        ativo: true,
      }),
      by: ADMIN,
    },
    update: byAdmin(['ordem', 'ativo']),
  },
  prompts_agents: {
    rowOf: (_, scenario) => `id = ${scenario.agentId}`,
    isOwned: false,
    read: ADMIN,
    remove: ADMIN,
    insert: { row: () => ({ nome_agente: 'Agente novo' }), by: ADMIN },
    update: byAdmin(['nome_agente', 'empreendimento', 'instanceName', ...PROMPTS]),
  },
  agent_prompts: {
    rowOf: (_, scenario) => `id = ${scenario.agentId}`,
    isOwned: false,
    read: ADMIN,
    remove: ADMIN,
    insert: { row: () => ({ nome_agente: 'Agente novo' }), by: ADMIN },
    update: byAdmin(['nome_agente', ...PROMPTS]),
  },
  agent_chat_messages: {
    rowOf: (_, scenario) => `agent_id = ${scenario.agentId}`,
    isOwned: false,
    read: ADMIN,
    remove: ADMIN,
    insert: {
      row: (scenario) => ({ agent_id: scenario.agentId, remotejid: 'x@s.whatsapp.net', message: '{}' }),
      by: ADMIN,
    },
    update: {},
    insertable: ['agent_id', 'remotejid', 'message'],
  },
  prompt_versions: {
    rowOf: (_, scenario) => `agent_id = ${scenario.agentId}`,
    isOwned: false,
    read: ADMIN,
    remove: NOBODY,
    insert: {
      row: (scenario) => ({
        agent_id: scenario.agentId,
        field: 'regras_atendimento',
        body: 'x',
        saved_by: 'ninguém',
      }),
      by: NOBODY,
    },
    update: {},
    insertable: [],
  },
  quick_replies: {
    rowOf: (side) => `id = '${side.quickReplyId}'`,
    isOwned: true,
    // An administrator edits only the shared ones: tests/integration/sending/quick-replies.
    read: { broker: 'own' },
    remove: { broker: 'own' },
    insert: {
      row: (scenario) => ({ broker_id: scenario.own.id, title: 'Resposta nova', body: 'Olá!' }),
      by: { broker: 'own' },
    },
    update: { title: { broker: 'own' }, body: { broker: 'own' }, order_index: { broker: 'own' } },
    insertable: ['id', 'broker_id', 'title', 'body', 'order_index'],
  },
  developments: {
    ...ofDevelopment({}),
    rowOf: (_, { development }) => `id = ${development.id}`,
    insert: { row: () => ({ name: 'Outro' }), by: NOBODY },
  },
  development_media: ofDevelopment({
    kind: 'foto',
    place: 2,
    media_id: 'b'.repeat(64),
    mime_type: 'image/jpeg',
    file_name: 'sala.jpg',
    size_bytes: 1,
  }),
  development_plans: ofDevelopment({ place: 2, name: '3 quartos' }),
  development_units: ofDevelopment({ code: '102' }),
  listings: {
    ...ofDevelopment({}),
    insert: {
      row: () => ({
        code: 'AP-2',
        business: 'venda',
        kind: 'Residential / Apartment',
        title: 'Outro',
        hash: String.raw`\x00`,
        first_seen_at: '2026-11-20T12:00:00Z',
        changed_at: '2026-11-20T12:00:00Z',
      }),
      by: NOBODY,
    },
  },
}
