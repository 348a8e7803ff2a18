// Instances in the form of the gateway's answers.
import type { Instance } from './state.ts'

/** Answer of a creation; `withQr` if it was requested. */
export function created(instance: Instance, withQr: boolean) {
  const { webhook } = instance
  return {
    instance: {
      instanceName: instance.name,
      instanceId: instance.id,
      integration: 'WHATSAPP-BAILEYS',
      webhookWaBusiness: null,
      accessTokenWaBusiness: '',
      status: instance.state,
    },
    hash: instance.token,
    webhook:
      webhook === null
        ? {}
        : {
            webhookUrl: webhook.url,
            webhookHeaders: webhook.headers ?? undefined,
            webhookByEvents: webhook.byEvents,
            webhookBase64: webhook.base64,
          },
    websocket: {},
    rabbitmq: {},
    nats: {},
    sqs: {},
    settings: instance.settings,
    ...(withQr ? { qrcode: instance.qr } : {}),
  }
}

/** An instance as the gateway's list of instances shows it, with its token in clear text as at the real gateway. */
export const rowOf = (instance: Instance) => ({
  id: instance.id,
  name: instance.name,
  connectionStatus: instance.rowState,
  ownerJid: instance.owner?.jid ?? null,
  profileName: instance.owner?.name ?? null,
  profilePicUrl: null,
  integration: 'WHATSAPP-BAILEYS',
  number: instance.number,
  businessId: null,
  token: instance.token,
  clientName: 'evolution',
  disconnectionReasonCode: instance.disconnection?.code ?? null,
  disconnectionObject: instance.disconnection?.object ?? null,
  disconnectionAt: instance.disconnection?.at ?? null,
  createdAt: instance.createdAt,
  updatedAt: instance.updatedAt,
  Chatwoot: null,
  Proxy: null,
  Rabbitmq: null,
  Nats: null,
  Sqs: null,
  Websocket: null,
  Setting: { ...instance.settingsRow, ...instance.settings, instanceId: instance.id },
  _count: {
    Message: instance.messages.length,
    Contact: instance.contacts.size,
    Chat: new Set(instance.messages.map(({ key }) => key.remoteJid)).size,
  },
})
