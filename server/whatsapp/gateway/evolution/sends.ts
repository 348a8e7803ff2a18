// Sends messages. The bodies have the fields of v2 and of v1.
import * as v from 'valibot'
import type { Gateway, OutgoingMedia, Sends } from '#server/gateway.ts'
import type { Ask, Asked } from '../ask.ts'
import { requireNumber } from '../checks.ts'
import type { Operation } from '../faults.ts'
import { Sent } from './answers.ts'

type To = { number: string; delayMs?: number; body: object }
type Message = To & { path: string; quotedId?: string }

export function createSends(ask: Ask): Sends & Pick<Gateway, 'showTyping'> {
  async function call<T extends v.GenericSchema>(schema: T, asked: Asked, { number, delayMs = 0, body }: To) {
    requireNumber(asked[0], number)
    // The gateway answers only after its typing is over.
    return ask(schema, asked, { delayMs, body })
  }

  /** The gateway finds the quoted message by its id, and sends without a quote if it does not have it. */
  function send(operation: Operation, name: string, { path, number, quotedId, delayMs = 0, body }: Message) {
    const quoted = quotedId === undefined ? {} : { quoted: { key: { id: quotedId } } }
    const to = { number, delayMs, body: { number, ...typing(delayMs), ...quoted, ...body } }
    return call(Sent, [operation, name, 'POST', `/message/${path}/${name}`], to)
  }

  /** An edit or a deletion answers nothing, or a message of the protocol, so its answer is not parsed. */
  const change = async (asked: Asked, to: To): Promise<void> => void (await call(v.unknown(), asked, to))

  return {
    sendText: (name, { text, ...to }) => {
      const options = { ...typing(to.delayMs), presence: 'composing', linkPreview: true }
      return send('sendText', name, { ...to, path: 'sendText', body: { text, linkPreview: true, options } })
    },
    sendMedia: (name, { media, ...to }) => {
      const options = { ...typing(to.delayMs), presence: 'composing' }
      const isVoice = media.kind === 'voice'
      const path = isVoice ? 'sendWhatsAppAudio' : 'sendMedia'
      const file = isVoice ? { audio: media.base64 } : mediaBody(media)
      return send('sendMedia', name, { ...to, path, body: { options, ...file } })
    },
    sendLocation: (name, { place, ...to }) => {
      // The gateway requires both texts, even if empty.
      const texts = { name: place.name ?? '', address: place.address ?? '' }
      return send('sendLocation', name, { ...to, path: 'sendLocation', body: { ...place, ...texts } })
    },
    sendContact: (name, { name: fullName, phone, ...to }) => {
      const contact = [{ fullName, wuid: phone, phoneNumber: `+${phone}` }]
      return send('sendContact', name, { ...to, path: 'sendContact', body: { contact } })
    },
    sendReaction: (name, { jid, messageId, isOwn, emoji }) => {
      const body = { key: { remoteJid: jid, fromMe: isOwn, id: messageId }, reaction: emoji }
      return call(Sent, ['sendReaction', name, 'POST', `/message/sendReaction/${name}`], {
        number: jid,
        body,
      })
    },
    sendEdit: (name, { jid, messageId, text }) => {
      // The gateway compares the number with the stored address of the chat.
      const body = { number: jid, key: { remoteJid: jid, fromMe: true, id: messageId }, text }
      return change(['sendEdit', name, 'POST', `/chat/updateMessage/${name}`], { number: jid, body })
    },
    sendDeletion: (name, { jid, messageId }) => {
      const body = { id: messageId, remoteJid: jid, fromMe: true }
      const path = `/chat/deleteMessageForEveryone/${name}`
      return change(['sendDeletion', name, 'DELETE', path], { number: jid, body })
    },
    showTyping: (name, { number, delayMs }) => {
      const body = { number, presence: 'composing', delay: Math.round(delayMs) }
      return change(['showTyping', name, 'POST', `/chat/sendPresence/${name}`], { number, delayMs, body })
    },
  }
}

/** The gateway accepts only whole numbers. */
const typing = (delayMs: number) => (delayMs > 0 ? { delay: Math.round(delayMs) } : {})

const mediaBody = (media: OutgoingMedia) => ({
  mediatype: media.kind,
  media: media.base64,
  fileName: media.fileName,
  mimetype: media.mimeType,
  ...(media.caption === '' ? {} : { caption: media.caption }),
})
