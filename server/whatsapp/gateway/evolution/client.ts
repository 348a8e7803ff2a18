// The Evolution API (v2, 2.3 or newer) as the portal's gateway.
import * as v from 'valibot'
import { GatewayError, type Gateway, type GatewayFault, type WebhookSetup } from '#server/gateway.ts'
import { createVersionCheck, read, requireName } from '../checks.ts'
import { gatewayError } from '../faults.ts'
import { createHttp, type Http, type HttpOptions } from '../http.ts'
import {
  Created,
  CreatedWithoutId,
  FoundWebhook,
  Offer,
  Restarted,
  Rows,
  StateAnswer,
  WebhookRow,
} from './answers.ts'
import { createAsk, type Ask } from './ask.ts'
import { answerError, unsupportedError } from './faults.ts'
import { createSearch } from './search.ts'
import { createSends, createTypingCall } from './sends.ts'
import { askVersion } from './version.ts'

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
  const http = createHttp(options, { keyHeader: 'apikey', answerError })
  const checkVersion = createVersionCheck(options.clock, () => askVersion(http))
  const ask = createAsk(http, checkVersion)
  return {
    version: checkVersion,
    ...createInstanceCalls(http, checkVersion, ask),
    ...createLinkCalls(ask),
    ...createSends(ask),
    ...createTypingCall(ask),
    ...createSearch(ask),
  }
}

type InstanceCalls = Pick<Gateway, 'createInstance' | 'listInstances' | 'findInstance' | 'deleteInstance'>

function createInstanceCalls(http: Http, checkVersion: () => Promise<string>, ask: Ask): InstanceCalls {
  return {
    async createInstance({ instanceName, token, webhook }) {
      requireName('create', instanceName)
      await checkVersion()
      const body = {
        instanceName,
        integration: 'WHATSAPP-BAILEYS',
        token,
        webhook: webhookBody(instanceName, webhook),
        ...SETTINGS,
      }
      const answer = await http({
        operation: 'create',
        method: 'POST',
        path: '/instance/create',
        instanceName,
        body,
      })
      if (v.is(CreatedWithoutId, answer))
        throw gatewayError('create', 'failed', { detail: 'ID não retornado' })
      return read('create', Created, answer)
    },
    async listInstances() {
      await checkVersion()
      return read(
        'list',
        Rows,
        await http({ operation: 'list', method: 'GET', path: '/instance/fetchInstances' }),
      )
    },
    async findInstance(instanceName) {
      requireName('find', instanceName)
      await checkVersion()
      const path = `/instance/fetchInstances?instanceName=${instanceName}`
      const answer = await http({ operation: 'find', method: 'GET', path, instanceName }).catch(nullIfUnknown)
      return answer === null ? null : (read('find', Rows, answer)[0] ?? null)
    },
    async deleteInstance(instanceName) {
      await ask(v.unknown(), {
        operation: 'remove',
        method: 'DELETE',
        route: '/instance/delete',
        instanceName,
      }).catch(nullIfUnknown)
    },
  }
}

const nullIfFault = (fault: GatewayFault) => (error: unknown) => {
  if (error instanceof GatewayError && error.fault === fault) return null
  throw error
}
const nullIfUnknown = nullIfFault('unknown-instance')

type LinkCalls = Pick<
  Gateway,
  'linkState' | 'connect' | 'restart' | 'logout' | 'setWebhook' | 'findWebhook' | 'setSettings'
>

function createLinkCalls(ask: Ask): LinkCalls {
  return {
    async linkState(instanceName) {
      const route = '/instance/connectionState'
      const answer = await ask(StateAnswer, { operation: 'find', method: 'GET', route, instanceName })
      return answer.instance.state
    },
    async connect(instanceName, number) {
      const query = number === undefined ? '' : `?number=${number.replace(/\D/g, '')}`
      const call = { operation: 'connect', method: 'GET', instanceName, query } as const
      const offer = await ask(Offer, { ...call, route: '/instance/connect' })
      if (offer.kind === 'error') throw gatewayError('connect', 'failed', { status: 200 })
      return offer
    },
    async restart(instanceName) {
      const call = { operation: 'restart', method: 'POST', instanceName, body: {} } as const
      const answer = await ask(Restarted, { ...call, route: '/instance/restart' })
      if (answer.error === undefined) return
      const isClosed = typeof answer.message === 'string' && answer.message.includes('is not connected')
      throw gatewayError('restart', isClosed ? 'not-linked' : 'failed', { status: 200 })
    },
    async logout(instanceName) {
      const call = { operation: 'logout', method: 'DELETE', instanceName } as const
      await ask(v.unknown(), { ...call, route: '/instance/logout' }).catch((error: unknown) => {
        // A closed link answers 400. Any other 'not linked' is a failure, and the link stays open.
        if (!(error instanceof GatewayError) || error.fault !== 'not-linked') throw error
        if (error.status !== 400) throw gatewayError('logout', 'failed', { status: error.status ?? 500 })
      })
    },
    async setWebhook(instanceName, webhook) {
      const call = { operation: 'webhook', method: 'POST', instanceName } as const
      const body = { webhook: webhookBody(instanceName, webhook) }
      const saved = await ask(WebhookRow, { ...call, route: '/webhook/set', body })
      // Another version accepts the body with 201 but stores something else.
      if (saved.url !== webhook.url || !saved.enabled || !saved.webhookBase64)
        throw unsupportedError('webhook')
    },
    async findWebhook(instanceName) {
      const call = { operation: 'webhook', method: 'GET', instanceName } as const
      return ask(FoundWebhook, { ...call, route: '/webhook/find' })
    },
    async setSettings(instanceName) {
      const call = { operation: 'settings', method: 'POST', instanceName, body: SETTINGS } as const
      await ask(v.unknown(), { ...call, route: '/settings/set' })
    },
  }
}
