// The Evolution API (v2, 2.3 or newer) as the portal's gateway.
import * as v from 'valibot'
import { GatewayError, type Gateway, type WebhookSetup } from '#server/gateway.ts'
import { createAsk, nullIfUnknown, type Ask } from '../ask.ts'
import { createVersionCheck, isAtLeast, read } from '../checks.ts'
import { gatewayError, unsupportedError } from '../faults.ts'
import { createHttp, type HttpOptions } from '../http.ts'
import {
  Created,
  CreatedWithoutId,
  FoundWebhook,
  Offer,
  Restarted,
  Rows,
  StateAnswer,
  Version,
  WebhookRow,
} from './answers.ts'
import { DIALECT } from './faults.ts'
import { createSearch } from './search.ts'
import { createSends } from './sends.ts'

/** Subscribed events; acks, own messages and lost links are separate events. */
const EVENTS = [
  'MESSAGES_UPSERT',
  'SEND_MESSAGE',
  'MESSAGES_UPDATE',
  'MESSAGES_EDITED',
  'MESSAGES_DELETE',
  'CONTACTS_UPDATE',
  'CONNECTION_UPDATE',
  'QRCODE_UPDATED',
  'LOGOUT_INSTANCE',
  'REMOVE_INSTANCE',
  'STATUS_INSTANCE',
  'CALL',
]

const SETTINGS = {
  rejectCall: false,
  groupsIgnore: true,
  alwaysOnline: false,
  readMessages: false,
  readStatus: false,
  syncFullHistory: false,
}

const webhookBody = (instanceName: string, { url }: WebhookSetup) => ({
  instanceName,
  enabled: true,
  url,
  events: EVENTS,
  base64: true,
  byEvents: false,
  // Field names of version 1, which v2 ignores.
  webhookBase64: true,
  webhookByEvents: false,
})

export function createEvolutionGateway(options: HttpOptions): Gateway {
  const http = createHttp(options, DIALECT)
  const checkVersion = createVersionCheck(options.clock, async () =>
    supportedVersion(await http({ operation: 'version', method: 'GET', path: '/' })),
  )
  const ask = createAsk(http, checkVersion)
  return {
    version: checkVersion,
    ...createInstanceCalls(ask),
    ...createLinkCalls(ask),
    ...createSends(ask),
    ...createSearch(ask),
  }
}

function supportedVersion(answer: unknown): string {
  const { version } = v.is(Version, answer) ? answer : { version: '' }
  if (version.startsWith('2.') && isAtLeast(version, [2, 3])) return version
  throw unsupportedError('version', DIALECT.needed, { version })
}

const createInstanceCalls = (ask: Ask) =>
  ({
    async createInstance({ instanceName, token, webhook }) {
      const integration = 'WHATSAPP-BAILEYS'
      const hook = webhookBody(instanceName, webhook)
      const body = { instanceName, integration, token, webhook: hook, ...SETTINGS }
      const answer = await ask(v.unknown(), ['create', instanceName, 'POST', '/instance/create'], { body })
      if (v.is(CreatedWithoutId, answer))
        throw gatewayError('create', 'failed', { detail: 'ID não retornado' })
      return read('create', Created, answer)
    },
    listInstances: () => ask(Rows, ['list', null, 'GET', '/instance/fetchInstances']),
    async findInstance(name) {
      const path = `/instance/fetchInstances?instanceName=${name}`
      return (await ask(Rows, ['find', name, 'GET', path]).catch(nullIfUnknown))?.[0] ?? null
    },
    async deleteInstance(name) {
      await ask(v.unknown(), ['remove', name, 'DELETE', `/instance/delete/${name}`]).catch(nullIfUnknown)
    },
  }) satisfies Partial<Gateway>

const createLinkCalls = (ask: Ask) =>
  ({
    async linkState(name) {
      const path = `/instance/connectionState/${name}`
      return (await ask(StateAnswer, ['find', name, 'GET', path])).instance.state
    },
    async connect(name, number) {
      const query = number === undefined ? '' : `?number=${number.replace(/\D/g, '')}`
      const offer = await ask(Offer, ['connect', name, 'GET', `/instance/connect/${name}${query}`])
      if (offer.kind === 'error') throw gatewayError('connect', 'failed', { status: 200 })
      return offer
    },
    async restart(name) {
      const path = `/instance/restart/${name}`
      const answer = await ask(Restarted, ['restart', name, 'POST', path], { body: {} })
      if (answer.error === undefined) return
      const isClosed = typeof answer.message === 'string' && answer.message.includes('is not connected')
      throw gatewayError('restart', isClosed ? 'not-linked' : 'failed', { status: 200 })
    },
    async logout(name) {
      const path = `/instance/logout/${name}`
      await ask(v.unknown(), ['logout', name, 'DELETE', path]).catch((error: unknown) => {
        // A closed link answers 400. Any other 'not linked' is a failure, and the link stays open.
        if (!(error instanceof GatewayError) || error.fault !== 'not-linked') throw error
        if (error.status !== 400) throw gatewayError('logout', 'failed', { status: error.status ?? 500 })
      })
    },
    async setWebhook(name, webhook) {
      const body = { webhook: webhookBody(name, webhook) }
      const saved = await ask(WebhookRow, ['webhook', name, 'POST', `/webhook/set/${name}`], { body })
      // Another version accepts the body with 201 but stores something else.
      if (saved.url !== webhook.url || !saved.enabled || !saved.webhookBase64)
        throw unsupportedError('webhook', DIALECT.needed)
      await ask(v.unknown(), ['settings', name, 'POST', `/settings/set/${name}`], { body: SETTINGS })
    },
    findWebhook: (name) => ask(FoundWebhook, ['webhook', name, 'GET', `/webhook/find/${name}`]),
  }) satisfies Partial<Gateway>
