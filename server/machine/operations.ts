// Every operation of /api/v1: address, grant, schemas, and SQL function.
import type * as v from 'valibot'
import type { MachineGrant } from '#domain/machine.ts'
import {
  Broker,
  ChangedLead,
  Event,
  EventsQuery,
  Lead,
  LeadChange,
  LeadsQuery,
  Message,
  MessagesQuery,
  NewLead,
  NewMessage,
  NoQuery,
  pageOf,
  PageQuery,
  QueuedMessage,
  Rotation,
  TakenLead,
} from './contract.ts'
import {
  ChangedInterest,
  Development,
  DevelopmentChange,
  DevelopmentDetails,
  Interest,
  NewDevelopment,
  NewInterest,
  NoBody,
  SavedDevelopment,
} from './development-contract.ts'

type Common = {
  id: string
  /** The path below /api/v1. */
  path:
    | '/leads'
    | '/leads/{id}'
    | '/leads/{id}/interests'
    | '/leads/{id}/interests/{developmentId}'
    | '/messages'
    | '/messages/{id}'
    | '/brokers'
    | '/rotations'
    | '/events'
    | '/developments'
    | '/developments/{id}'
  grant: MachineGrant
  /** A short description in Portuguese, for the page. */
  summary: string
  answer: v.GenericSchema
}
export type Read = Common & {
  method: 'get'
  query: v.GenericSchema<unknown, Record<string, unknown>>
  /** Lists continue after the last id, or before it if the newest come first; 'all' is one page, 'of' one of an id. */
  shape: 'ascending' | 'descending' | 'all' | 'of' | 'one'
  sql: string
}
export type Write = Common & {
  method: 'post' | 'patch' | 'delete'
  body: v.GenericSchema<unknown, Record<string, unknown>>
  status: 200 | 201 | 202
}

export const READS: readonly Read[] = [
  {
    id: 'listLeads',
    method: 'get',
    path: '/leads',
    grant: 'leads:read',
    summary: 'Leads, na ordem em que chegaram; phone e externalId acham um lead conhecido',
    query: LeadsQuery,
    shape: 'ascending',
    sql: 'portal.machine_leads($1, $2, $3::jsonb)',
    answer: pageOf(Lead),
  },
  {
    id: 'getLead',
    method: 'get',
    path: '/leads/{id}',
    grant: 'leads:read',
    summary: 'Um lead',
    query: NoQuery,
    shape: 'one',
    sql: 'portal.machine_lead_of($1)',
    answer: Lead,
  },
  {
    id: 'listMessages',
    method: 'get',
    path: '/messages',
    grant: 'messages:read',
    summary: 'Mensagens de um lead, da mais antiga à mais nova',
    query: MessagesQuery,
    shape: 'ascending',
    sql: 'portal.machine_messages($1, $2, $3::jsonb)',
    answer: pageOf(Message),
  },
  {
    id: 'getMessage',
    method: 'get',
    path: '/messages/{id}',
    grant: 'messages:read',
    summary: 'Uma mensagem',
    query: NoQuery,
    shape: 'one',
    sql: 'portal.machine_message_of($1)',
    answer: Message,
  },
  {
    id: 'listBrokers',
    method: 'get',
    path: '/brokers',
    grant: 'brokers:read',
    summary: 'Corretores, e se o WhatsApp está conectado',
    query: NoQuery,
    shape: 'all',
    sql: 'portal.machine_brokers()',
    answer: pageOf(Broker),
  },
  {
    id: 'listRotations',
    method: 'get',
    path: '/rotations',
    grant: 'rotations:read',
    summary: 'Roletas com os seus corretores',
    query: NoQuery,
    shape: 'all',
    sql: 'portal.machine_rotations()',
    answer: pageOf(Rotation),
  },
  {
    id: 'listEvents',
    method: 'get',
    path: '/events',
    grant: 'events:read',
    summary: 'Avisos enviados e à espera, do mais novo ao mais antigo',
    query: EventsQuery,
    shape: 'descending',
    sql: 'portal.machine_events($1, $2, $3::jsonb)',
    answer: pageOf(Event),
  },
  {
    id: 'listDevelopments',
    method: 'get',
    path: '/developments',
    grant: 'developments:read',
    summary: 'Empreendimentos com plantas e preços, também os arquivados',
    query: PageQuery,
    shape: 'ascending',
    sql: 'portal.machine_developments($1, $2, $3::jsonb)',
    answer: pageOf(Development),
  },
  {
    id: 'getDevelopment',
    method: 'get',
    path: '/developments/{id}',
    grant: 'developments:read',
    summary: 'Um empreendimento, com as unidades e o histórico de preços',
    query: NoQuery,
    shape: 'one',
    sql: 'portal.machine_development_of($1)',
    answer: DevelopmentDetails,
  },
  {
    id: 'listInterests',
    method: 'get',
    path: '/leads/{id}/interests',
    grant: 'leads:read',
    summary: 'Empreendimentos que interessam a um lead, do mais antigo ao mais novo',
    query: NoQuery,
    shape: 'of',
    sql: 'portal.machine_interests($1)',
    answer: pageOf(Interest),
  },
]

export const TAKE_LEAD = {
  id: 'createLead',
  method: 'post',
  path: '/leads',
  grant: 'leads:write',
  summary: 'Cria um lead, com telefone ou e-mail; ele entra na roleta como qualquer outro',
  body: NewLead,
  status: 201,
  answer: TakenLead,
} as const satisfies Write
export const CHANGE_LEAD = {
  id: 'moveLead',
  method: 'patch',
  path: '/leads/{id}',
  grant: 'leads:write',
  summary:
    'Muda o estágio ou as notas de um lead; com expectedStage ou expectedNotes, só se ainda forem estes',
  body: LeadChange,
  status: 200,
  answer: ChangedLead,
} as const satisfies Write
export const SEND_MESSAGE = {
  id: 'sendMessage',
  method: 'post',
  path: '/messages',
  grant: 'messages:send',
  summary: 'Põe um texto na fila do WhatsApp do corretor do lead',
  body: NewMessage,
  status: 202,
  answer: QueuedMessage,
} as const satisfies Write

export const ADD_DEVELOPMENT = {
  id: 'createDevelopment',
  method: 'post',
  path: '/developments',
  grant: 'developments:write',
  summary: 'Cadastra um empreendimento, com plantas, preços e unidades',
  body: NewDevelopment,
  status: 201,
  answer: SavedDevelopment,
} as const satisfies Write
export const CHANGE_DEVELOPMENT = {
  id: 'changeDevelopment',
  method: 'patch',
  path: '/developments/{id}',
  grant: 'developments:write',
  summary:
    'Muda o que vem no corpo, arquiva ou traz de volta (isArchived); plans e units trocam a lista inteira, e uma planta com id guarda o que não veio',
  body: DevelopmentChange,
  status: 200,
  answer: SavedDevelopment,
} as const satisfies Write
export const ADD_INTEREST = {
  id: 'addInterest',
  method: 'post',
  path: '/leads/{id}/interests',
  grant: 'leads:write',
  summary: 'Põe um empreendimento entre os que interessam a um lead, 20 no máximo',
  body: NewInterest,
  status: 200,
  answer: ChangedInterest,
} as const satisfies Write
export const REMOVE_INTEREST = {
  id: 'removeInterest',
  method: 'delete',
  path: '/leads/{id}/interests/{developmentId}',
  grant: 'leads:write',
  summary: 'Tira um empreendimento dos que interessam a um lead',
  body: NoBody,
  status: 200,
  answer: ChangedInterest,
} as const satisfies Write

export const OPERATIONS: readonly (Read | Write)[] = [
  ...READS,
  TAKE_LEAD,
  CHANGE_LEAD,
  ADD_INTEREST,
  REMOVE_INTEREST,
  SEND_MESSAGE,
  ADD_DEVELOPMENT,
  CHANGE_DEVELOPMENT,
]
