// Webhook and settings routes, with the fields that v2 ignores or refuses.
import type { Hono } from 'hono'
import { bodyOf, type Wire } from './handler.ts'
import { checkBody, isJson, WireError } from './errors.ts'
import type { Json, Webhook, SimulatedState } from '../state.ts'

const EVENTS = [
  'APPLICATION_STARTUP',
  'INSTANCE_CREATE',
  'INSTANCE_DELETE',
  'QRCODE_UPDATED',
  'MESSAGES_SET',
  'MESSAGES_UPSERT',
  'MESSAGES_EDITED',
  'MESSAGES_UPDATE',
  'MESSAGES_DELETE',
  'SEND_MESSAGE',
  'SEND_MESSAGE_UPDATE',
  'CONTACTS_SET',
  'CONTACTS_UPSERT',
  'CONTACTS_UPDATE',
  'PRESENCE_UPDATE',
  'CHATS_SET',
  'CHATS_UPSERT',
  'CHATS_UPDATE',
  'CHATS_DELETE',
  'GROUPS_UPSERT',
  'GROUP_UPDATE',
  'GROUP_PARTICIPANTS_UPDATE',
  'CONNECTION_UPDATE',
  'LABELS_EDIT',
  'LABELS_ASSOCIATION',
  'CALL',
  'TYPEBOT_START',
  'TYPEBOT_CHANGE_STATUS',
  'REMOVE_INSTANCE',
  'LOGOUT_INSTANCE',
  'STATUS_INSTANCE',
]
const SETTINGS = [
  'rejectCall',
  'groupsIgnore',
  'alwaysOnline',
  'readMessages',
  'readStatus',
  'syncFullHistory',
]

export function webhookRoutes(app: Hono, { simulated, instanceOf }: Wire) {
  app.post('/webhook/set/:name', async (context) => {
    const instance = instanceOf(context)
    const body = await bodyOf(context)
    checkBody(body, [
      { field: 'webhook', type: 'object', isRequired: true },
      { field: 'webhook.enabled', type: 'boolean', isRequired: true },
      { field: 'webhook.url', type: 'string', isRequired: true },
    ])
    const given = isJson(body['webhook']) ? body['webhook'] : {}
    instance.webhook = webhookOf(simulated, given, instance.webhook)
    return context.json(webhookRow(instance.webhook, instance.id), 201)
  })
  app.get('/webhook/find/:name', (context) => {
    const instance = instanceOf(context)
    return context.json(instance.webhook === null ? null : webhookRow(instance.webhook, instance.id))
  })
  app.post('/settings/set/:name', async (context) => {
    const instance = instanceOf(context)
    const body = await bodyOf(context)
    checkBody(
      body,
      SETTINGS.map((field) => ({ field, type: 'boolean', isRequired: true })),
    )
    const settings = Object.fromEntries(SETTINGS.map((name) => [name, body[name]]))
    instance.settings = { ...instance.settings, ...settings }
    instance.settingsRow.updatedAt = simulated.nowIso()
    return context.json({ settings: { instanceName: instance.name, settings } }, 201)
  })
  app.get('/settings/find/:name', (context) => context.json(instanceOf(context).settings))
}

/** The row to store; `webhookBase64` and `webhookByEvents` are ignored. */
export function webhookOf(simulated: SimulatedState, given: Json, before: Webhook | null): Webhook {
  const { enabled, url, headers, base64, byEvents } = given
  return {
    id: before?.id ?? simulated.ids.row(),
    url: String(url),
    headers: isJson(headers)
      ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
      : null,
    enabled: enabled === true,
    events: eventsOf(given),
    byEvents: byEvents === true,
    base64: base64 === true,
    createdAt: before?.createdAt ?? simulated.nowIso(),
    updatedAt: simulated.nowIso(),
  }
}

function eventsOf({ enabled, events }: Json): string[] {
  if (enabled !== true) return []
  if (!Array.isArray(events))
    throw new WireError(500, "Cannot read properties of undefined (reading 'length')")
  const names = events.map(String)
  const unknown = names.findIndex((name) => !EVENTS.includes(name))
  if (unknown >= 0)
    throw new WireError(400, [[`webhook.events[${unknown}] is not one of enum values: ${EVENTS.join(',')}`]])
  return names
}

const webhookRow = (webhook: Webhook, instanceId: string) => ({
  id: webhook.id,
  url: webhook.url,
  headers: webhook.headers,
  enabled: webhook.enabled,
  events: webhook.events,
  webhookByEvents: webhook.byEvents,
  webhookBase64: webhook.base64,
  createdAt: webhook.createdAt,
  updatedAt: webhook.updatedAt,
  instanceId,
})
