// Routes that send. As at WAHA, the number is not checked, and most wrong bodies fail inside the server, with 500.
import type { Context, Hono } from 'hono'
import {
  fileBody,
  ownContext,
  plainBody,
  quoteContext,
  textBody,
  type Body,
  type File,
} from '../media/contents.ts'
import { edit, findById, keep, revoke, shown } from '../mailbox.ts'
import { passAcks } from '../sending.ts'
import type { Instance, Json, Message, SimulatedState } from '../state.ts'
import { isJson } from '../wire/errors.ts'
import { refusal } from './refusal.ts'
import { bareId, jidOf } from './shapes.ts'
import { bodyOf, type Wire } from './handler.ts'

const ID_FORM = 'Message id be in format false_11111111111@c.us_AAAAAAAAAAAAAAAAAAAA[_participant]'

type Make = (simulated: SimulatedState, body: Json, context: Json | null) => Body

export function sendRoutes(app: Hono, { simulated, usedOf, workingOf }: Wire) {
  for (const [path, make] of Object.entries(MAKERS))
    app.post(`/api/${path}`, async (context) => {
      const body = await bodyOf(context)
      const instance = await workingOf(body['session'])
      // WAHA fails so if the address is missing.
      if (typeof body['chatId'] !== 'string')
        throw new TypeError(`Cannot read properties of undefined (reading 'includes')`)
      const jid = jidOf(body['chatId'])
      const said = () => make(simulated, body, contextOf(simulated, instance, body))
      return context.json(await send(simulated, instance, { jid, id: body['id'], said }), 201)
    })
  for (const path of ['startTyping', 'stopTyping'])
    app.post(`/api/${path}`, async (context) => {
      await workingOf((await bodyOf(context))['session'])
      return context.json({ result: true }, 201)
    })
  app.put('/api/reaction', async (context) => {
    const { session, messageId, reaction: text } = await bodyOf(context)
    const instance = await workingOf(session)
    const [, fromMe, chat = '', id] = /^(true|false)_([^_]+)_(.+)$/.exec(String(messageId)) ?? []
    if (id === undefined) throw new Error(ID_FORM)
    const key = { remoteJid: jidOf(chat), fromMe: fromMe === 'true', id }
    const said = () => plainBody('reactionMessage', { key, text })
    return context.json(await send(simulated, instance, { jid: key.remoteJid, id: undefined, said }))
  })
  changeRoutes(app, { simulated, workingOf })
  app.get('/api/contacts/check-exists', (context) => {
    const { phone, session } = context.req.query()
    const instance = usedOf(session)
    if (phone === undefined) throw new TypeError(`Cannot read properties of undefined (reading 'split')`)
    requireSocket(instance)
    const { exists, jid } = simulated.numbers.resolve(phone)
    return context.json(
      exists
        ? { numberExists: true, chatId: jid.replace('s.whatsapp.net', 'c.us') }
        : { numberExists: false },
    )
  })
}

function changeRoutes(app: Hono, { simulated, workingOf }: Pick<Wire, 'simulated' | 'workingOf'>) {
  const path = '/api/:name/chats/:chat/messages/:id'
  const posted = async (context: Context) => {
    const instance = await workingOf(context.req.param('name'))
    if (instance.nextSends.shift()?.effect === 'timed-out-unsent') throw new Error('Timed Out')
    requireSocket(instance)
    const message = findById(instance, bareId(context.req.param('id') ?? ''))
    if (message === undefined) throw refusal(404, 'Message not found')
    return { instance, message }
  }
  const answer = ({ key }: Message) => ({
    key: { ...key, id: simulated.ids.sent() },
    message: { protocolMessage: { key } },
    messageTimestamp: String(Math.floor(simulated.clock.now() / 1000)),
    status: 'PENDING',
  })
  app.put(path, async (context) => {
    const post = await posted(context)
    edit(simulated, post, String((await bodyOf(context))['text']))
    return context.json(answer(post.message))
  })
  app.delete(path, async (context) => {
    const post = await posted(context)
    revoke(simulated, post)
    return context.json(answer(post.message))
  })
}

function requireSocket({ state, isZombie }: Instance) {
  if (state !== 'open' || isZombie) throw new Error('Connection Closed')
}

type Outgoing = { jid: string; id: unknown; said: () => Body }

/** Returns the body of a 201. */
async function send(
  simulated: SimulatedState,
  instance: Instance,
  { jid, id, said }: Outgoing,
): Promise<Json> {
  const next = instance.nextSends.shift()
  if (next?.delayMs) await simulated.clock.sleep(next.delayMs)
  if (next?.effect === 'timed-out-unsent') throw new Error('Timed Out')
  if (next?.effect === 'closed-400' || next?.effect === 'closed-500') throw new Error('Connection Closed')
  if (next?.effect === 'failed-500') throw new TypeError(`Cannot read properties of null (reading 'id')`)
  requireSocket(instance)
  const key = { remoteJid: jid, fromMe: true, id: typeof id === 'string' ? id : simulated.ids.sent() }
  const message = keep(simulated, instance, { ...said(), key, pushName: null, source: 'api' })
  simulated.emit(instance, 'send.message', shown({ instance, message }, 'PENDING'))
  // A number without WhatsApp is not refused: the message just never arrives.
  const isReached = jid.endsWith('@lid') || simulated.numbers.resolve(jid).exists
  void passAcks(simulated, { instance, message }, isReached ? instance.ackPlan : 'server-only')
  if (next?.effect === 'timed-out-sent') throw new Error('Timed Out')
  return { key, message: message.content, messageTimestamp: String(message.sentAtSeconds), status: 'PENDING' }
}

/** Has the quoted message if the store has it. Null: the message is sent without a quote. */
function contextOf(simulated: SimulatedState, instance: Instance, { reply_to: quoted }: Json): Json | null {
  if (typeof quoted === 'string' && quoted.includes('_') && !quoted.includes('@')) throw new Error(ID_FORM)
  const answered = typeof quoted === 'string' ? findById(instance, bareId(quoted)) : undefined
  if (answered === undefined) return null
  const { fromMe, remoteJid, id } = answered.key
  const text = answered.content?.['conversation']
  const author = fromMe ? (instance.owner?.jid ?? '') : remoteJid
  return {
    ...ownContext(simulated),
    ...quoteContext({ id, author, text: typeof text === 'string' ? text : '' }),
  }
}

const fileMaker =
  (kind: File['kind'], isVoice = false): Make =>
  (simulated, { file, caption }, context) => {
    if (!isJson(file)) throw new TypeError(`Cannot use 'in' operator to search for 'url' in undefined`)
    const { mimetype = 'application/octet-stream', filename = 'file', data } = file
    if (typeof data !== 'string') throw refusal(422, 'Either "file.url" or "file.data" must be specified.')
    const about = { kind, mimeType: String(mimetype), fileName: String(filename), isVoice }
    const captioned = typeof caption === 'string' ? { caption } : {}
    // WAHA takes the prefix of a data URL for data.
    return fileBody(simulated, { ...about, base64: data, ...captioned }, context)
  }

const MAKERS: Record<string, Make> = {
  sendText: (_, { text }, context) => {
    if (typeof text !== 'string') throw new TypeError('text.match is not a function')
    return textBody(text, context)
  },
  sendImage: fileMaker('image'),
  sendVideo: fileMaker('video'),
  sendFile: fileMaker('document'),
  sendVoice: fileMaker('audio', true),
  sendLocation: (_, { latitude, longitude, title }) =>
    plainBody('locationMessage', { degreesLatitude: latitude, degreesLongitude: longitude, name: title }),
  sendContactVcard: (_, { contacts }) => {
    const card: unknown = Array.isArray(contacts) ? contacts[0] : null
    const { fullName, phoneNumber, whatsappId } = isJson(card) ? card : {}
    const tel = `TEL;type=CELL;type=VOICE;waid=${String(whatsappId)}:${String(phoneNumber)}`
    const vcard = ['BEGIN:VCARD', 'VERSION:3.0', `FN:${String(fullName)}`, tel, 'END:VCARD'].join('\n')
    return plainBody('contactMessage', { vcard })
  },
}
