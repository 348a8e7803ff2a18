// WAHA (2026.6.1 or newer, engine NOWEB) as the portal's gateway.
import * as v from 'valibot'
import type { Gateway } from '#server/gateway.ts'
import { createAsk, nullIfUnknown, type Ask } from '../ask.ts'
import { createVersionCheck, isAtLeast } from '../checks.ts'
import { gatewayError, unsupportedError } from '../faults.ts'
import { createHttp, type HttpOptions } from '../http.ts'
import { instanceOf, Session, stateOf, Version } from './answers.ts'
import { sessionCall } from './ask.ts'
import { configOf, contains, webhookIn } from './config.ts'
import { DIALECT } from './faults.ts'
import { createLinkCalls, createRevival } from './links.ts'
import { createSearch } from './search.ts'
import { createSends } from './sends.ts'

export function createWahaGateway(options: HttpOptions): Gateway {
  const { clock } = options
  const http = createHttp(options, DIALECT)
  const checkVersion = createVersionCheck(clock, async () =>
    supportedVersion(await http({ operation: 'version', method: 'GET', path: '/api/server/version' })),
  )
  const ask = createAsk(http, checkVersion)
  const revive = createRevival(ask, clock)
  return {
    version: checkVersion,
    async listInstances() {
      const sessions = await ask(v.array(Session), ['list', null, 'GET', '/api/sessions?all=true'])
      await revive(sessions)
      return sessions.map(instanceOf)
    },
    ...createInstanceCalls(ask),
    ...createLinkCalls(ask, clock),
    ...createSends(ask, clock),
    ...createSearch(ask),
  }
}

/** Older versions send no files and hold one session; other engines write messages in other forms. */
function supportedVersion(answer: unknown): string {
  const { version, engine } = v.is(Version, answer) ? answer : { version: '', engine: '' }
  if (isAtLeast(version, [2026, 6, 1]) && engine === 'NOWEB') return version
  throw unsupportedError('version', DIALECT.needed, { version: `${version} ${engine}` })
}

const createInstanceCalls = (ask: Ask) =>
  ({
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
  }) satisfies Partial<Gateway>
