// Sends messages. The bodies have the fields of v2 and of v1, and file names get an extension.
import * as v from 'valibot'
import type { Gateway, OutgoingMedia, Sends } from '#server/gateway.ts'
import type { Ask, Asked } from '../ask.ts'
import { requireNumber } from '../checks.ts'
import { fileNameWithExtension } from '../file-name.ts'
import { Sent } from './answers.ts'

/** The gateway answers only after its 'digitando…', so the limit starts then. */
const SEND_TIMEOUT_MS = 60_000

export function createSends(ask: Ask): Sends & Pick<Gateway, 'showTyping'> {
  async function send<T extends v.GenericSchema>(schema: T, asked: Asked, { number, delayMs = 0, body }: To) {
    requireNumber(asked[0], number)
    return ask(schema, asked, { limitMs: delayMs + SEND_TIMEOUT_MS, body })
  }

  return {
    sendText: (name, { number, text, delayMs, quotedId }) => {
      const options = { ...typing(delayMs), presence: 'composing', linkPreview: true }
      const about = { number, text, linkPreview: true, ...typing(delayMs), ...quoting(quotedId) }
      const asked = ['sendText', name, 'POST', `/message/sendText/${name}`] as const
      return send(Sent, asked, { number, delayMs, body: { ...about, options } })
    },
    sendMedia: (name, { number, media, delayMs, quotedId }) => {
      const options = { ...typing(delayMs), presence: 'composing' }
      const common = { number, ...typing(delayMs), ...quoting(quotedId), options }
      const isVoice = media.kind === 'voice'
      const path = isVoice ? '/message/sendWhatsAppAudio' : '/message/sendMedia'
      const body = isVoice ? { ...common, audio: media.base64 } : { ...common, ...mediaBody(media) }
      return send(Sent, ['sendMedia', name, 'POST', `${path}/${name}`], { number, delayMs, body })
    },
    sendLocation: (name, { number, place, quotedId }) => {
      // The gateway requires both texts, even if empty.
      const texts = { name: place.name ?? '', address: place.address ?? '' }
      const body = { number, ...place, ...texts, ...quoting(quotedId) }
      return send(Sent, ['sendLocation', name, 'POST', `/message/sendLocation/${name}`], { number, body })
    },
    sendContact: (name, { number, name: fullName, phone, quotedId }) => {
      const contact = [{ fullName, wuid: phone, phoneNumber: `+${phone}` }]
      const body = { number, contact, ...quoting(quotedId) }
      return send(Sent, ['sendContact', name, 'POST', `/message/sendContact/${name}`], { number, body })
    },
    sendReaction: (name, { jid, messageId, isOwn, emoji }) => {
      const body = { key: { remoteJid: jid, fromMe: isOwn, id: messageId }, reaction: emoji }
      const asked = ['sendReaction', name, 'POST', `/message/sendReaction/${name}`] as const
      return send(Sent, asked, { number: jid, body })
    },
    // An edit or a deletion answers nothing, or a message of the protocol, so its answer is not parsed.
    async sendEdit(name, { jid, messageId, text }) {
      // The gateway compares the number with the stored address of the chat.
      const body = { number: jid, key: { remoteJid: jid, fromMe: true, id: messageId }, text }
      const asked = ['sendEdit', name, 'POST', `/chat/updateMessage/${name}`] as const
      await send(v.unknown(), asked, { number: jid, body })
    },
    async sendDeletion(name, { jid, messageId }) {
      const body = { id: messageId, remoteJid: jid, fromMe: true }
      const asked = ['sendDeletion', name, 'DELETE', `/chat/deleteMessageForEveryone/${name}`] as const
      await send(v.unknown(), asked, { number: jid, body })
    },
    async showTyping(name, { number, delayMs }) {
      const body = { number, presence: 'composing', delay: Math.round(delayMs) }
      const asked = ['showTyping', name, 'POST', `/chat/sendPresence/${name}`] as const
      await send(v.unknown(), asked, { number, delayMs, body })
    },
  }
}

type To = { number: string; delayMs?: number; body: object }

/** The gateway accepts only whole numbers. */
const typing = (delayMs: number) => (delayMs > 0 ? { delay: Math.round(delayMs) } : {})

/** The gateway finds the quoted message by its id, and sends without a quote if it does not have it. */
const quoting = (quotedId: string | undefined) =>
  quotedId === undefined ? {} : { quoted: { key: { id: quotedId } } }

const mediaBody = (media: OutgoingMedia) => ({
  mediatype: media.kind,
  media: media.base64,
  fileName: fileNameWithExtension(media),
  mimetype: media.mimeType,
  ...(media.caption === '' ? {} : { caption: media.caption }),
})
