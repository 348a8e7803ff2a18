// Sends to a person: the session and the number are asked first, because WAHA refuses neither at the send.
import * as v from 'valibot'
import type { Clock } from '#server/clock.ts'
import {
  GatewayError,
  type Gateway,
  type OutgoingMedia,
  type Recipient,
  type Sends,
} from '#server/gateway.ts'
import { personJid } from '../../webhook/jid.ts'
import { requireNumber } from '../checks.ts'
import { gatewayError, type Operation } from '../faults.ts'
import { fileNameWithExtension } from '../file-name.ts'
import type { Call } from '../http.ts'
import { Existing, Sent, Session } from './answers.ts'
import type { Ask } from './client.ts'

const SEND_TIMEOUT_MS = 60_000

export const chatOf = (jid: string): string => jid.replace('@s.whatsapp.net', '@c.us')
/** WAHA's id of a message; a reaction needs all of it. */
const fullId = (isOwn: boolean, jid: string, messageId: string) => `${isOwn}_${chatOf(jid)}_${messageId}`

type To = Recipient & { delayMs?: number; path: string; body: object }
type Change = Call & { instanceName: string; jid: string }

export function createSends(ask: Ask, clock: Clock): Sends & Pick<Gateway, 'showTyping'> {
  const jidOf = createNumbers(ask)

  /** Otherwise a call is answered after ten seconds. */
  async function requireWorking(operation: Operation, instanceName: string, number: string) {
    requireNumber(operation, number)
    const path = `/api/sessions/${instanceName}`
    const { status } = await ask(Session, { operation: 'prepareSend', method: 'GET', path, instanceName })
    if (status !== 'WORKING') throw gatewayError(operation, 'not-linked')
  }

  async function type(instanceName: string, jid: string, delayMs: number) {
    const body = { session: instanceName, chatId: chatOf(jid) }
    const call = { operation: 'showTyping', method: 'POST', instanceName, body } as const
    await ask(v.unknown(), { ...call, path: '/api/startTyping' })
    await clock.sleep(delayMs)
    await ask(v.unknown(), { ...call, path: '/api/stopTyping' })
  }

  async function send(operation: Operation, instanceName: string, to: To) {
    const { number, delayMs = 0, quotedId, ownId, path, body } = to
    await requireWorking(operation, instanceName, number)
    const jid = await jidOf(operation, instanceName, number)
    if (delayMs > 0) await type(instanceName, jid, delayMs).catch(ignoreFault)
    const about = { reply_to: quotedId, id: ownId, session: instanceName, chatId: chatOf(jid) }
    const call = { operation, method: 'POST', path, instanceName, limitMs: SEND_TIMEOUT_MS } as const
    // WhatsApp may have resolved another address, but the answer does not tell it.
    return { ...(await ask(Sent, { ...call, body: { ...about, ...body } })), jid }
  }

  async function change<T extends v.GenericSchema>(schema: T, { jid, ...call }: Change) {
    await requireWorking(call.operation, call.instanceName, jid)
    return ask(schema, { limitMs: SEND_TIMEOUT_MS, ...call })
  }

  return {
    async sendText(instanceName, { text, ...to }) {
      if (text.trim() === '') throw gatewayError('sendText', 'refused', { detail: 'a mensagem está vazia' })
      return send('sendText', instanceName, {
        ...to,
        path: '/api/sendText',
        body: { text, linkPreview: true },
      })
    },
    sendMedia: (instanceName, { media, ...to }) =>
      send('sendMedia', instanceName, { ...to, path: PATHS[media.kind], body: mediaBody(media) }),
    /** WAHA's place has a title, and no address. */
    sendLocation: (instanceName, { place: { name, address, ...place }, ...to }) => {
      const body = { ...place, title: [name, address].filter(Boolean).join(' - ') }
      return send('sendLocation', instanceName, { ...to, path: '/api/sendLocation', body })
    },
    sendContact: (instanceName, { name, phone, ...to }) => {
      const contacts = [{ fullName: name, phoneNumber: `+${phone}`, whatsappId: phone, vcard: null }]
      return send('sendContact', instanceName, { ...to, path: '/api/sendContactVcard', body: { contacts } })
    },
    async sendReaction(instanceName, { jid, messageId, isOwn, emoji }) {
      if (/[\p{L}\s]/u.test(emoji)) throw gatewayError('sendReaction', 'refused')
      const body = { session: instanceName, messageId: fullId(isOwn, jid, messageId), reaction: emoji }
      const call = {
        operation: 'sendReaction',
        method: 'PUT',
        path: '/api/reaction',
        instanceName,
        jid,
      } as const
      return { ...(await change(Sent, { ...call, body })), jid }
    },
    async sendEdit(instanceName, { jid, messageId, text }) {
      const path = pathOf(instanceName, jid, messageId)
      const call = { operation: 'sendEdit', method: 'PUT', path, instanceName, jid } as const
      await change(v.unknown(), { ...call, body: { text } })
    },
    async sendDeletion(instanceName, { jid, messageId }) {
      const path = pathOf(instanceName, jid, messageId)
      await change(v.unknown(), { operation: 'sendDeletion', method: 'DELETE', path, instanceName, jid })
    },
    async showTyping(instanceName, { number, delayMs }) {
      requireNumber('showTyping', number)
      await type(instanceName, number, delayMs)
    },
  }
}

function pathOf(instanceName: string, jid: string, messageId: string): string {
  const [chat, id] = [chatOf(jid), fullId(true, jid, messageId)].map(encodeURIComponent)
  return `/api/${instanceName}/chats/${chat}/messages/${id}`
}

const ignoreFault = (error: unknown) => {
  if (!(error instanceof GatewayError)) throw error
}

/** The address of a number that was never written to; one question at a time, as WhatsApp counts them. */
function createNumbers(ask: Ask) {
  let turn: Promise<unknown> = Promise.resolve()

  async function find(operation: Operation, instanceName: string, number: string): Promise<string> {
    const path = `/api/contacts/check-exists?phone=${number}&session=${instanceName}`
    const call = { operation: 'prepareSend', method: 'GET', path, instanceName } as const
    const { numberExists, chatId } = await ask(Existing, call)
    const jid = personJid(chatId)
    if (!numberExists || jid === null) throw gatewayError(operation, 'not-on-whatsapp')
    return jid
  }

  return (operation: Operation, instanceName: string, number: string): Promise<string> => {
    if (number.includes('@')) return Promise.resolve(number)
    const mine = turn.then(() => find(operation, instanceName, number))
    turn = mine.catch(() => undefined)
    return mine
  }
}

const OPUS = 'audio/ogg; codecs=opus'

/** Plain sound has no call of its own; as a voice message it would look recorded. */
const PATHS: Record<OutgoingMedia['kind'], string> = {
  image: '/api/sendImage',
  video: '/api/sendVideo',
  voice: '/api/sendVoice',
  audio: '/api/sendFile',
  document: '/api/sendFile',
}

function mediaBody({ kind, base64, caption, fileName, mimeType }: OutgoingMedia) {
  const filename = fileNameWithExtension({ fileName, mimeType })
  // With the prefix of a data URL, broken bytes would be sent.
  const file = { mimetype: mimeType, filename, data: base64.replace(/^data:[^,]{0,100},/, '') }
  if (kind === 'voice' && mimeType.startsWith('audio/ogg'))
    return { file: { ...file, mimetype: OPUS }, convert: false }
  if (kind === 'voice') return { file, convert: true }
  return caption === '' ? { file } : { file, caption }
}
