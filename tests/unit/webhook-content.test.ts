// Every kind of message that the gateway can deliver, plain and wrapped.
import { describe, expect, it } from 'vitest'
import { readContent } from '#server/whatsapp/gateway/message/content.ts'

const long = (low: number, high = 0) => ({ low, high, unsigned: true })
const mediaFields = { mimetype: 'image/jpeg', fileLength: long(70), height: 2, width: 3 }
const readMedia = {
  mediaId: null,
  mimeType: 'image/jpeg',
  fileName: null,
  sizeBytes: 70,
  seconds: null,
  width: 3,
  height: 2,
  isVoice: false,
  isViewOnce: false,
}
const VCARD =
  'BEGIN:VCARD\nVERSION:3.0\nFN:Beto\nitem1.TEL;waid=5511911112222:+55 11 91111-2222\nTEL:(11) 3333-4444\nEND:VCARD'

describe('every kind of message', () => {
  it.each<[string, Record<string, unknown>, string, string, unknown]>([
    ['text', { conversation: 'Olá' }, 'text', 'Olá', null],
    ['text with a link', { extendedTextMessage: { text: 'https://x.y' } }, 'text', 'https://x.y', null],
    ['text beside its context', { messageContextInfo: {}, conversation: 'a' }, 'text', 'a', null],
    ['answer to a button', { buttonsResponseMessage: { selectedDisplayText: 'Sim' } }, 'text', 'Sim', null],
    [
      'answer to a template',
      { templateButtonReplyMessage: { selectedDisplayText: 'Sim' } },
      'text',
      'Sim',
      null,
    ],
    ['answer to a list', { listResponseMessage: { title: '2 quartos' } }, 'text', '2 quartos', null],
    ['image', { imageMessage: { ...mediaFields, caption: 'foto' } }, 'image', 'foto', readMedia],
    [
      'image whose bytes are stored',
      { imageMessage: mediaFields, base64: 'stored:abc' },
      'image',
      '',
      { ...readMedia, mediaId: 'abc' },
    ],
    ['image whose bytes are not', { imageMessage: mediaFields, base64: 'AAAA' }, 'image', '', readMedia],
    [
      'voice',
      { audioMessage: { seconds: 3, ptt: true, mimetype: 'audio/ogg; codecs=opus', fileLength: '9' } },
      'audio',
      '',
      {
        ...readMedia,
        mimeType: 'audio/ogg; codecs=opus',
        sizeBytes: 9,
        seconds: 3,
        width: null,
        height: null,
        isVoice: true,
      },
    ],
    ['video', { videoMessage: { ...mediaFields, seconds: 8 } }, 'video', '', { ...readMedia, seconds: 8 }],
    ['video note', { ptvMessage: mediaFields }, 'video', '', readMedia],
    ['sticker', { stickerMessage: mediaFields }, 'sticker', '', readMedia],
    [
      'animated sticker',
      { lottieStickerMessage: { message: { stickerMessage: mediaFields } } },
      'sticker',
      '',
      readMedia,
    ],
    [
      'document without an extension',
      { documentMessage: { ...mediaFields, mimetype: 'false', fileName: 'sem-extensao' } },
      'document',
      '',
      { ...readMedia, mimeType: 'application/octet-stream', fileName: 'sem-extensao' },
    ],
    [
      'document with a caption',
      { documentWithCaptionMessage: { message: { documentMessage: { ...mediaFields, caption: 'planta' } } } },
      'document',
      'planta',
      readMedia,
    ],
    [
      'contact',
      { contactMessage: { displayName: 'Beto', vcard: VCARD } },
      'contact',
      'Beto',
      { contacts: [{ name: 'Beto', phones: ['5511911112222', '1133334444'] }] },
    ],
    [
      'contacts',
      { contactsArrayMessage: { contacts: [{ displayName: 'A' }, { vcard: VCARD }, 7] } },
      'contact',
      'A, Beto',
      {
        contacts: [
          { name: 'A', phones: [] },
          { name: 'Beto', phones: ['5511911112222', '1133334444'] },
        ],
      },
    ],
    [
      'location',
      { locationMessage: { degreesLatitude: -23.5, degreesLongitude: -46.6, name: 'Sé' } },
      'location',
      'Sé',
      { latitude: -23.5, longitude: -46.6, name: 'Sé', address: null, isLive: false },
    ],
    [
      'live location',
      { liveLocationMessage: { degreesLatitude: -23.5, degreesLongitude: -46.6, caption: 'indo' } },
      'location',
      'indo',
      { latitude: -23.5, longitude: -46.6, name: null, address: null, isLive: true },
    ],
    [
      'location off the map',
      { locationMessage: { degreesLatitude: 99, degreesLongitude: 0 } },
      'unsupported',
      '',
      null,
    ],
    [
      'poll',
      { pollCreationMessageV3: { name: 'Qual?', options: [{ optionName: 'Sábado' }, 3] } },
      'text',
      'Enquete: Qual?\n• Sábado',
      null,
    ],
    ['poll without a question', { pollCreationMessageV3: { name: '' } }, 'unsupported', '', null],
    ['nothing', {}, 'unsupported', '', null],
  ])('%s', (...[, message, kind, body, content]) => {
    expect(readContent(message)).toEqual({ kind, body, content })
  })

  it.each([
    'ephemeralMessage',
    'viewOnceMessage',
    'viewOnceMessageV2',
    'viewOnceMessageV2Extension',
    'editedMessage',
  ])('wrapped in %s, at any depth', (wrapper) => {
    const wrapped = {
      [wrapper]: { message: { ephemeralMessage: { message: { imageMessage: mediaFields } } } },
    }
    expect(readContent(wrapped)).toMatchObject({
      kind: 'image',
      content: { isViewOnce: wrapper.startsWith('viewOnce') },
    })
  })

  it('finds the bytes beside the wrapper or inside it', () => {
    const inner = { imageMessage: mediaFields }
    expect(readContent({ ephemeralMessage: { message: inner }, base64: 'stored:a' }).content).toMatchObject({
      mediaId: 'a',
    })
    expect(
      readContent({ ephemeralMessage: { message: { ...inner, base64: 'stored:b' } } }).content,
    ).toMatchObject({ mediaId: 'b' })
  })
})

describe('the placeholder for bytes that were not fetched yet', () => {
  const jpeg = [0xff, 0xd8, 0xff, 0xe0]
  const base64 = Buffer.from(jpeg).toString('base64')

  it.each<[string, unknown]>([
    ['numbered bytes, as Evolution has them', Object.fromEntries(jpeg.entries())],
    ['base64', base64],
    ['a buffer as JSON', { type: 'Buffer', data: jpeg }],
  ])('keeps a preview given as %s', (_, jpegThumbnail) => {
    expect(readContent({ imageMessage: { jpegThumbnail } }).content).toMatchObject({ preview: base64 })
  })

  it.each<[string, Record<string, unknown>]>([
    ['seen once only', { viewOnce: true, jpegThumbnail: Object.fromEntries(jpeg.entries()) }],
    ['no JPEG', { jpegThumbnail: { 0: 60, 1: 115, 2: 118 } }],
    ['far too large', { jpegThumbnail: Array.from({ length: 9_000 }, (_, at) => jpeg[at] ?? 0) }],
    ['no bytes', { jpegThumbnail: { 0: 255, 1: 'x' } }],
  ])('keeps no preview that is %s', (_, fields) => {
    expect(readContent({ imageMessage: fields }).content).not.toHaveProperty('preview')
  })

  it("keeps a voice message's waveform", () => {
    const { content } = readContent({ audioMessage: { ptt: true, waveform: { 0: 0, 1: 50, 2: 100 } } })
    expect(content).toMatchObject({ waveform: Buffer.from([0, 50, 100]).toString('base64') })
  })
})
