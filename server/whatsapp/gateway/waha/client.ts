// WAHA (2026.6.1 or newer, engine NOWEB) as the portal's gateway.
import * as v from 'valibot'
import { GatewayError, type Gateway } from '#server/gateway.ts'
import { createAsk, type Ask } from '../ask.ts'
import { createVersionCheck, read } from '../checks.ts'
import { gatewayError } from '../faults.ts'
import { createHttp, type HttpOptions } from '../http.ts'
import { instanceOf, Session, stateOf, Version } from './answers.ts'
import { sessionCall } from './ask.ts'
import { configOf, contains, webhookIn } from './config.ts'
import { answerError, NEEDED } from './faults.ts'
import { createLinkCalls, createRevival } from './links.ts'
import { createSearch } from './search.ts'
import { createSends } from './sends.ts'

export function createWahaGateway(options: HttpOptions): Gateway {
  const { clock } = options
  const http = createHttp(options, { keyHeader: 'x-api-key', answerError })
  const checkVersion = createVersionCheck(clock, async () => {
    const answer = await http({ operation: 'version', method: 'GET', path: '/api/server/version' })
    return supportedVersion(v.safeParse(Version, answer))
  })
  const ask = createAsk(http, checkVersion)
  const revive = createRevival(ask, clock)
  return {
    version: checkVersion,
    async listInstances() {
      await checkVersion()
      const answer = await http({ operation: 'list', method: 'GET', path: '/api/sessions?all=true' })
      const sessions = read('list', v.array(Session), answer)
      await revive(sessions)
      return sessions.map(instanceOf)
    },
    ...createInstanceCalls(ask),
    ...createLinkCalls(ask, clock),
    ...createSends(ask, clock),
    ...createSearch(ask),
  }
}

const OLDEST = [2026, 6, 1]

/** Older versions send no files and hold one session; other engines write messages in other forms. */
function supportedVersion(answer: v.SafeParseResult<typeof Version>): string {
  const { version = '', engine = '' } = answer.success ? answer.output : {}
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [0]
  const differs = OLDEST.findIndex((part, at) => part !== parts[at])
  const isOld = differs >= 0 && (parts[differs] ?? 0) < (OLDEST[differs] ?? 0)
  if (!isOld && engine === 'NOWEB') return version
  const found =
    `${version} ${engine}`
      .replace(/[^\w. -]/g, '')
      .slice(0, 40)
      .trim() || 'encontrado'
  throw gatewayError('version', 'unsupported', { detail: `o WAHA ${found} não serve; ${NEEDED}` })
}

const nullIfUnknown = (error: unknown) => {
  if (error instanceof GatewayError && error.fault === 'unknown-instance') return null
  throw error
}

type InstanceCalls = Pick<
  Gateway,
  | 'createInstance'
  | 'findInstance'
  | 'linkState'
  | 'deleteInstance'
  | 'setWebhook'
  | 'findWebhook'
  | 'setSettings'
>

const createInstanceCalls = (ask: Ask): InstanceCalls => ({
  /** Creates a stopped session, because a running one would use up its QR codes before a person scans one. */
  async createInstance({ instanceName, webhook }) {
    const body = { name: instanceName, start: false, config: configOf(webhook) }
    return instanceOf(await ask(Session, ['create', instanceName, 'POST', '/api/sessions'], { body }))
  },
  async findInstance(name) {
    const found = await ask(Session, sessionCall('find', name)).catch(nullIfUnknown)
    return found && instanceOf(found)
  },
  linkState: async (name) => stateOf(await ask(Session, sessionCall('find', name))),
  async deleteInstance(name) {
    await ask(v.unknown(), sessionCall('remove', name, 'DELETE')).catch(nullIfUnknown)
  },
  /** WAHA restarts a session whose configuration is stored, so an unchanged one is not stored again. */
  async setWebhook(name, webhook) {
    const config = configOf(webhook)
    if (contains((await ask(Session, sessionCall('webhook', name))).config, config)) return
    const saved = await ask(Session, sessionCall('webhook', name, 'PUT'), { body: { config } })
    if (webhookIn(saved.config)?.url !== webhook.url) throw gatewayError('webhook', 'failed')
  },
  findWebhook: async (name) => webhookIn((await ask(Session, sessionCall('webhook', name))).config),
  /** Does nothing, because `setWebhook` stores the settings, too. */
  setSettings: () => Promise.resolve(),
})
