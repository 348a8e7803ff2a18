// Sends to a person. Session and number are checked first: WAHA refuses the one late, and the other not at all.
import * as v from 'valibot'
import type { Clock } from '#server/clock.ts'
import type { Gateway, OutgoingMedia, Recipient, Sends } from '#server/gateway.ts'
import { createLanes } from '#server/lanes.ts'
import { ignoreFault, type Ask } from '../ask.ts'
import { personJid } from '../message/jid.ts'
import { requireNumber } from '../checks.ts'
import { gatewayError, type Operation } from '../faults.ts'
import { Existing, Sent, Session } from './answers.ts'
import { chatOf, sessionCall } from './ask.ts'

/** WAHA's id of a message, as reactions and changes need it. */
const fullId = (isOwn: boolean, jid: string, messageId: string) => `${isOwn}_${chatOf(jid)}_${messageId}`

type To = Recipient & { delayMs?: number; path: string; body: object }
type At = { name: string; jid: string; messageId: string; body?: object }

export function createSends(ask: Ask, clock: Clock): Sends & Pick<Gateway, 'showTyping'> {
  const jidOf = createNumbers(ask)

  /** WAHA would refuse a session that is not linked only after ten seconds. */
  async function requireWorking(operation: Operation, name: string, number: string) {
    requireNumber(operation, number)
    const { status } = await ask(Session, sessionCall('prepareSend', name))
    if (status !== 'WORKING') throw gatewayError(operation, 'not-linked')
  }

  async function type(name: string, jid: string, delayMs: number) {
    const body = { session: name, chatId: chatOf(jid) }
    await ask(v.unknown(), ['showTyping', name, 'POST', '/api/startTyping'], { body })
    await clock.sleep(delayMs)
    await ask(v.unknown(), ['showTyping', name, 'POST', '/api/stopTyping'], { body })
  }

  async function send(operation: Operation, name: string, { number, delayMs = 0, path, ...to }: To) {
    await requireWorking(operation, name, number)
    const jid = await jidOf(operation, name, number)
    if (delayMs > 0) await type(name, jid, delayMs).catch(ignoreFault)
    const body = { session: name, chatId: chatOf(jid), reply_to: to.quotedId, id: to.ownId, ...to.body }
    // WhatsApp may have resolved another address, but the answer does not tell it.
    return { ...(await ask(Sent, [operation, name, 'POST', path], { body })), jid }
  }

  async function change(operation: Operation, method: 'PUT' | 'DELETE', { name, jid, messageId, body }: At) {
    await requireWorking(operation, name, jid)
    const [chat, id] = [chatOf(jid), fullId(true, jid, messageId)].map(encodeURIComponent)
    const path = `/api/${name}/chats/${chat}/messages/${id}`
    await ask(v.unknown(), [operation, name, method, path], body && { body })
  }

  return {
    async sendText(name, { text, ...to }) {
      if (text.trim() === '') throw gatewayError('sendText', 'refused', { detail: 'a mensagem está vazia' })
      return send('sendText', name, { ...to, path: '/api/sendText', body: { text, linkPreview: true } })
    },
    sendMedia: (name, { media, ...to }) =>
      send('sendMedia', name, { ...to, path: PATHS[media.kind], body: mediaBody(media) }),
    /** WAHA's location has only a title, so name and address go there. */
    sendLocation: (name, { place: { name: place, address, ...where }, ...to }) => {
      const body = { ...where, title: [place, address].filter(Boolean).join(' - ') }
      return send('sendLocation', name, { ...to, path: '/api/sendLocation', body })
    },
    sendContact: (name, { name: fullName, phone, ...to }) => {
      const contacts = [{ fullName, phoneNumber: `+${phone}`, whatsappId: phone, vcard: null }]
      return send('sendContact', name, { ...to, path: '/api/sendContactVcard', body: { contacts } })
    },
    async sendReaction(name, { jid, messageId, isOwn, emoji }) {
      if (/[\p{L}\s]/u.test(emoji)) throw gatewayError('sendReaction', 'refused')
      await requireWorking('sendReaction', name, jid)
      const body = { session: name, messageId: fullId(isOwn, jid, messageId), reaction: emoji }
      return { ...(await ask(Sent, ['sendReaction', name, 'PUT', '/api/reaction'], { body })), jid }
    },
    sendEdit: (name, { text, ...sent }) => change('sendEdit', 'PUT', { ...sent, name, body: { text } }),
    sendDeletion: (name, sent) => change('sendDeletion', 'DELETE', { ...sent, name }),
    async showTyping(name, { number, delayMs }) {
      requireNumber('showTyping', number)
      await type(name, number, delayMs)
    },
  }
}

/** Asks WhatsApp for the address of a number. One question at a time, because WhatsApp limits them. */
function createNumbers(ask: Ask) {
  const inTurn = createLanes(1)

  async function find(operation: Operation, name: string, number: string): Promise<string> {
    const path = `/api/contacts/check-exists?phone=${number}&session=${name}`
    const { numberExists, chatId } = await ask(Existing, ['prepareSend', name, 'GET', path])
    const jid = personJid(chatId)
    if (!numberExists || jid === null) throw gatewayError(operation, 'not-on-whatsapp')
    return jid
  }

  return async (operation: Operation, name: string, number: string): Promise<string> =>
    number.includes('@') ? number : inTurn(() => find(operation, name, number))
}

/** WAHA has no route for sound files. They go as files, because a voice message would look as if it were recorded. */
const PATHS: Record<OutgoingMedia['kind'], string> = {
  image: '/api/sendImage',
  video: '/api/sendVideo',
  voice: '/api/sendVoice',
  audio: '/api/sendFile',
  document: '/api/sendFile',
}

function mediaBody({ kind, base64, caption, fileName: filename, mimeType }: OutgoingMedia) {
  const isOgg = mimeType.startsWith('audio/ogg')
  const mimetype = kind === 'voice' && isOgg ? 'audio/ogg; codecs=opus' : mimeType
  // With the prefix of a data URL, broken bytes would be sent.
  const file = { mimetype, filename, data: base64.replace(/^data:[^,]{0,100},/, '') }
  if (kind === 'voice') return { file, convert: !isOgg }
  return caption === '' ? { file } : { file, caption }
}
