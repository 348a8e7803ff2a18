// A portal for administrator screens: the gateway answers, there is no broker yet; the test adds the rest.
import { type Answers, createNetwork } from './network.ts'

export const adminPortal = (answers: Answers) =>
  createNetwork({
    'GET /api/health': () => ({ status: 'ok', database: 'ok', gateway: 'ok', version: '0.1.0' }),
    'GET /api/brokers': () => [],
    'POST /rest/v1/rpc/count_private_contacts': () => [],
    'POST /rest/v1/rpc/get_answers_today': () => [],
    'GET /api/gateway': () => ({ source: 'environment', url: null }),
    ...answers,
  })

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
