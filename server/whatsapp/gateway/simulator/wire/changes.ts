// Routes that edit a sent message and delete it for all.
import type { Hono } from 'hono'
import { edit, findById, revoke } from '../mailbox.ts'
import type { Instance, Json, Message } from '../state.ts'
import { checkBody, isJson, WireError, type Rule } from './errors.ts'
import { bodyOf, type Wire } from './handler.ts'

const EDIT: Rule[] = [
  { field: 'key.id', type: 'string', isRequired: true },
  { field: 'key.fromMe', type: 'boolean', isRequired: true },
  { field: 'key.remoteJid', type: 'string', isRequired: true },
]
const DELETION: Rule[] = [
  { field: 'id', type: 'string', isRequired: true },
  { field: 'fromMe', type: 'boolean', isRequired: true },
  { field: 'remoteJid', type: 'string', isRequired: true },
]
/** The gateway edits only messages of these types. */
const EDITABLE = new Set(['conversation', 'imageMessage', 'videoMessage'])

export function changeRoutes(app: Hono, { simulated, instanceOf }: Wire) {
  app.post('/chat/updateMessage/:name', async (context) => {
    const instance = instanceOf(context)
    const body = await bodyOf(context)
    checkBody(body, EDIT)
    const key = isJson(body['key']) ? body['key'] : {}
    const message = findById(instance, String(key['id']))
    if (!message || !EDITABLE.has(message.messageType)) throw new WireError(400, ['Message not compatible'])
    if (message.key.remoteJid !== body['number']) throw new WireError(400, ['RemoteJid does not match'])
    const closed = faultOf(instance)
    if (closed !== null) throw new WireError(500, closed)
    edit(simulated, { instance, message }, String(body['text']))
    return context.json(protocolAnswer(simulated.ids.sent(), message))
  })
  app.delete('/chat/deleteMessageForEveryone/:name', async (context) => {
    const instance = instanceOf(context)
    const body = await bodyOf(context)
    checkBody(body, DELETION)
    const closed = faultOf(instance)
    if (closed !== null)
      throw new WireError(500, ['Error while deleting message for everyone', `Error: ${closed}`])
    const message = findById(instance, String(body['id']))
    if (message) revoke(simulated, { instance, message })
    return context.json(message ? protocolAnswer(simulated.ids.sent(), message) : {}, 201)
  })
}

/** Why nothing can be sent, in the gateway's words. Null: sends work. */
function faultOf(instance: Instance): string | null {
  if (instance.socket === 0) return "Cannot read properties of undefined (reading 'sendMessage')"
  const next = instance.nextSends.shift()
  if (next?.effect === 'timed-out-unsent' || next?.effect === 'timed-out-sent') return 'Timed Out'
  if (next?.effect === 'failed-500') return "Cannot read properties of null (reading 'id')"
  return instance.state === 'open' && !instance.isZombie ? null : 'Connection Closed'
}

/** The gateway answers with the message of the protocol, which has an id of its own. */
const protocolAnswer = (id: string, { key, sentAtSeconds }: Message): Json => ({
  key: { remoteJid: key.remoteJid, fromMe: true, id },
  message: { protocolMessage: { key } },
  messageTimestamp: sentAtSeconds,
})
