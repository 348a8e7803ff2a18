// A portal as every administrator's screen sees it: the gateway answers, no broker is there yet; the rest is the test's.
import { type Answers, createNetwork } from './network.ts'

export const adminPortal = (answers: Answers) =>
  createNetwork({
    'GET /api/health': () => ({ status: 'ok', database: 'ok', gateway: 'ok', version: '0.1.0' }),
    'GET /api/brokers': () => [],
    'POST /rest/v1/rpc/count_private_contacts': () => [],
    'GET /api/gateway': () => ({ source: 'environment', url: null }),
    ...answers,
  })

/** An agent that answers by itself, as the list of agents has it. */
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
