// A portal for administrator screens: the gateway answers, there is no broker yet; the test adds the rest.
import { type Answers, createNetwork } from './network.ts'

export const adminPortal = (answers: Answers) =>
  createNetwork({
    'GET /api/health': () => ({ status: 'ok', database: 'ok', gateway: 'ok', version: '0.1.0' }),
    'GET /api/brokers': () => [],
    'POST /rest/v1/rpc/search_messages': () => ({ messages: [], until: null }),
    'POST /rest/v1/rpc/count_private_contacts': () => [],
    'POST /rest/v1/rpc/get_answers_today': () => [],
    'GET /api/gateway': () => ({
      gateways: [{ kind: 'evolution', source: 'environment', url: null, health: 'ok' }],
      newKind: 'evolution',
      instances: [],
    }),
    ...answers,
  })

/** A linked broker without activity, as `GET /api/brokers` lists it. */
export const BROKER_ROW = {
  id: '9d1d6ff0-8a4b-4f0e-b0a4-2d2a1f3b9c11',
  instanceName: 'corretor_camila',
  number: null as string | null,
  pictureUrl: null,
  isCentral: false,
  state: 'open',
  changedAt: null,
  lostAt: null,
  hasPassword: true,
  status: 'ativo',
  seenAt: null,
  campaigns: 0,
  seats: 0,
}

/** An answering agent, as in the list of agents. */
export const AGENT = {
  id: 1,
  name: 'Jardim das Acácias',
  development: 'Jardim das Acácias',
  instanceName: 'central',
  pausedAt: null,
  hasPrompt: true,
  isLinked: true,
  hasEngine: false,
  mode: 'answer',
  model: 'um-modelo',
  isSpent: false,
}
