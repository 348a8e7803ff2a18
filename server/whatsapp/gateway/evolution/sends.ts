// Sends: bodies that v2 and the version before accept, and file names with an extension.
import * as v from 'valibot'
import type { Gateway, OutgoingMedia, Sends } from '#server/gateway.ts'
import { requireNumber } from '../checks.ts'
import { fileNameWithExtension } from '../file-name.ts'
import { Sent } from './answers.ts'
import type { Ask } from './ask.ts'

/** The gateway answers only after its 'digitando…', so the limit starts then. */
const SEND_TIMEOUT_MS = 60_000

export function createSends(ask: Ask): Sends {
  return {
    async sendText(instanceName, { number, text, delayMs, quotedId }) {
      requireNumber('sendText', number)
      return ask(Sent, {
        operation: 'sendText',
        method: 'POST',
        route: '/message/sendText',
        instanceName,
        limitMs: delayMs + SEND_TIMEOUT_MS,
        body: {
          number,
          text,
          linkPreview: true,
          ...typing(delayMs),
          ...quoting(quotedId),
          options: { ...typing(delayMs), presence: 'composing', linkPreview: true },
        },
      })
    },
    async sendMedia(instanceName, { number, media, delayMs, quotedId }) {
      requireNumber('sendMedia', number)
      const options = { ...typing(delayMs), presence: 'composing' }
      const common = { number, ...typing(delayMs), ...quoting(quotedId), options }
      const isVoice = media.kind === 'voice'
      return ask(Sent, {
        operation: 'sendMedia',
        method: 'POST',
        route: isVoice ? '/message/sendWhatsAppAudio' : '/message/sendMedia',
        instanceName,
        limitMs: delayMs + SEND_TIMEOUT_MS,
        body: isVoice ? { ...common, audio: media.base64 } : { ...common, ...mediaBody(media) },
      })
    },
    async sendLocation(instanceName, { number, place, quotedId }) {
      requireNumber('sendLocation', number)
      const { latitude, longitude, name, address } = place
      return ask(Sent, {
        operation: 'sendLocation',
        method: 'POST',
        route: '/message/sendLocation',
        instanceName,
        limitMs: SEND_TIMEOUT_MS,
        // The gateway requires both texts, even if empty.
        body: { number, latitude, longitude, name: name ?? '', address: address ?? '', ...quoting(quotedId) },
      })
    },
    async sendContact(instanceName, { number, name, phone, quotedId }) {
      requireNumber('sendContact', number)
      return ask(Sent, {
        operation: 'sendContact',
        method: 'POST',
        route: '/message/sendContact',
        instanceName,
        limitMs: SEND_TIMEOUT_MS,
        body: {
          number,
          contact: [{ fullName: name, wuid: phone, phoneNumber: `+${phone}` }],
          ...quoting(quotedId),
        },
      })
    },
    async sendReaction(instanceName, { jid, messageId, isOwn, emoji }) {
      requireNumber('sendReaction', jid)
      return ask(Sent, {
        operation: 'sendReaction',
        method: 'POST',
        route: '/message/sendReaction',
        instanceName,
        limitMs: SEND_TIMEOUT_MS,
        body: { key: { remoteJid: jid, fromMe: isOwn, id: messageId }, reaction: emoji },
      })
    },
    ...createChanges(ask),
  }
}

/** The answers are empty, or messages of the protocol, so nothing is read from them. */
function createChanges(ask: Ask): Pick<Sends, 'sendEdit' | 'sendDeletion'> {
  return {
    async sendEdit(instanceName, { jid, messageId, text }) {
      requireNumber('sendEdit', jid)
      await ask(v.unknown(), {
        operation: 'sendEdit',
        method: 'POST',
        route: '/chat/updateMessage',
        instanceName,
        limitMs: SEND_TIMEOUT_MS,
        // The gateway compares the number with the stored address of the chat.
        body: { number: jid, key: { remoteJid: jid, fromMe: true, id: messageId }, text },
      })
    },
    async sendDeletion(instanceName, { jid, messageId }) {
      requireNumber('sendDeletion', jid)
      await ask(v.unknown(), {
        operation: 'sendDeletion',
        method: 'DELETE',
        route: '/chat/deleteMessageForEveryone',
        instanceName,
        limitMs: SEND_TIMEOUT_MS,
        body: { id: messageId, remoteJid: jid, fromMe: true },
      })
    },
  }
}

export const createTypingCall = (ask: Ask): Pick<Gateway, 'showTyping'> => ({
  async showTyping(instanceName, { number, delayMs }) {
    requireNumber('showTyping', number)
    await ask(v.unknown(), {
      operation: 'showTyping',
      method: 'POST',
      route: '/chat/sendPresence',
      instanceName,
      limitMs: delayMs + SEND_TIMEOUT_MS,
      body: { number, presence: 'composing', delay: Math.round(delayMs) },
    })
  },
})

/** The gateway accepts only whole numbers. */
const typing = (delayMs: number) => (delayMs > 0 ? { delay: Math.round(delayMs) } : {})

/** The gateway looks the quoted message up by id, and sends without a quote if it does not have it. */
const quoting = (quotedId: string | undefined) =>
  quotedId === undefined ? {} : { quoted: { key: { id: quotedId } } }

const mediaBody = (media: OutgoingMedia) => ({
  mediatype: media.kind,
  media: media.base64,
  fileName: fileNameWithExtension(media),
  mimetype: media.mimeType,
  ...(media.caption === '' ? {} : { caption: media.caption }),
})
