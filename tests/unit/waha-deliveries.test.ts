// Reading WAHA's deliveries and stored rows: a table of kinds, and what one would guess wrong.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Incoming } from '#server/delivery.ts'
import { WAHA_DELIVERIES } from '#server/whatsapp/gateway/waha/deliveries.ts'
import { byTier } from '#tests/support/runner/tier.ts'
import {
  ack,
  ANA_JID,
  ANA_LID,
  any,
  call,
  delivery,
  edited,
  media,
  NOON,
  OWN_JID,
  reaction,
  revoked,
  status,
  wahaMessage,
  type Written,
} from '#tests/support/waha-deliveries.ts'

const { readDelivery, readRecord } = WAHA_DELIVERIES
const AT_MS = NOON * 1000
const LATER_MS = AT_MS + 20 * 60_000
const AROUND = { ownJid: OWN_JID, atMs: LATER_MS }

function eventsOf(body: unknown): Incoming[] {
  const reading = readDelivery(body, LATER_MS)
  if (!reading.ok) throw new Error(reading.reason)
  return reading.events
}
const read = (written: Written) => eventsOf(any(written))

describe('kinds of message', () => {
  const file = { mimetype: 'image/jpeg', fileLength: '682', mediaKey: 'pyAj', directPath: '/v/x' }
  const quote = { stanzaId: '3EB0AA', participant: OWN_JID, quotedMessage: { conversation: 'Tem vaga?' } }

  test.each<[string, Written, object]>([
    [
      'text',
      { message: { conversation: 'Olá' } },
      { kind: 'text', body: 'Olá', fromMe: false, pushName: 'Ana' },
    ],
    [
      'link',
      { message: { extendedTextMessage: { text: 'veja', title: 'x' } } },
      { kind: 'text', body: 'veja' },
    ],
    [
      'ephemeral with a quote, which replyTo does not have',
      {
        message: {
          ephemeralMessage: { message: { extendedTextMessage: { text: 'Sim', contextInfo: quote } } },
        },
      },
      { body: 'Sim', quoted: { messageId: '3EB0AA', isOwn: true, kind: 'text', body: 'Tem vaga?' } },
    ],
    [
      'picture',
      { message: { imageMessage: { ...file, caption: 'sala' } }, rest: media('image/jpeg', 'jpeg') },
      { kind: 'image', body: 'sala', content: { mediaId: null, mimeType: 'image/jpeg', sizeBytes: 682 } },
    ],
    [
      'voice',
      { message: { audioMessage: { ...file, mimetype: 'audio/ogg', ptt: true, seconds: 3 } } },
      { kind: 'audio', content: { isVoice: true, seconds: 3 } },
    ],
    [
      'sound',
      { message: { audioMessage: { ...file, mimetype: 'audio/mpeg' } } },
      { kind: 'audio', content: { isVoice: false } },
    ],
    [
      'document',
      { message: { documentMessage: { ...file, fileName: 'RG.pdf', caption: 'meu RG' } } },
      { kind: 'document', body: 'meu RG', content: { fileName: 'RG.pdf' } },
    ],
    ['sticker', { message: { stickerMessage: file } }, { kind: 'sticker' }],
    [
      'file that WhatsApp no longer has',
      {
        message: { imageMessage: file },
        rest: { hasMedia: true, media: { url: null, mimetype: 'image/jpeg', error: {} } },
      },
      { kind: 'image', content: { mediaId: null } },
    ],
    [
      'photo of an album',
      {
        message: {
          imageMessage: file,
          messageContextInfo: {
            messageAssociation: { associationType: 'MEDIA_ALBUM', parentMessageKey: { id: '3AHEAD' } },
          },
        },
      },
      { kind: 'image', content: { albumId: '3AHEAD' } },
    ],
    [
      'place',
      { message: { locationMessage: { degreesLatitude: -23.5, degreesLongitude: -46.6, name: 'Casa' } } },
      { kind: 'location', body: 'Casa', content: { latitude: -23.5, longitude: -46.6 } },
    ],
    [
      'contact',
      {
        message: {
          contactMessage: {
            displayName: 'Zé',
            vcard: 'BEGIN:VCARD\nFN:Zé\nTEL;waid=5511900000009:x\nEND:VCARD',
          },
        },
      },
      { kind: 'contact', body: 'Zé', content: { contacts: [{ name: 'Zé', phones: ['5511900000009'] }] } },
    ],
    [
      'poll',
      { message: { pollCreationMessageV3: { name: 'Quando?', options: [] } } },
      { kind: 'text', body: 'Enquete: Quando?' },
    ],
    [
      'advertisement, which only the protocol’s form has',
      {
        message: {
          extendedTextMessage: {
            text: 'Oi',
            contextInfo: { externalAdReply: { title: 'Alto', sourceApp: 'facebook' } },
          },
        },
      },
      { ad: expect.objectContaining({ title: 'Alto', source: 'facebook' }) },
    ],
    [
      'view once',
      { message: { viewOnceMessageV2: { message: { imageMessage: file } } } },
      { content: { isViewOnce: true } },
    ],
    [
      'view once without its content',
      { message: {}, key: { isViewOnce: true } },
      { kind: 'image', content: { isViewOnce: true } },
    ],
    ['a time in text', { sentAt: String(NOON) }, { sentAtSeconds: NOON }],
    [
      'own, typed on the phone',
      { fromMe: true },
      { fromMe: true, isViaApi: false, delivery: 'sent', pushName: null },
    ],
    ['own, through the API', { fromMe: true, rest: { source: 'api' } }, { fromMe: true, isViaApi: true }],
  ])('%s', (_, written, expected) => {
    expect(read(written)).toEqual([expect.objectContaining({ event: 'message', messageId: '3AMSG1' })])
    expect(read(written)).toMatchObject([expected])
  })

  test.each<[string, Written]>([
    ['the head of an album', { message: { albumMessage: { expectedImageCount: 2 } } }],
    [
      'a changed time of disappearing',
      { message: { protocolMessage: { type: 'EPHEMERAL_SETTING', key: {} } } },
    ],
    ['a group', { key: { remoteJid: '120363000000000001@g.us', participant: ANA_JID } }],
    ['a status', { key: { remoteJid: 'status@broadcast', participant: ANA_JID } }],
    ['a poll vote', { message: { pollUpdateMessage: {} } }],
  ])('%s is silent', (_, written) => expect(read(written)).toEqual([]))

  test('an unknown kind is a note with its original', () => {
    expect(read({ message: { noneSuchMessage: { a: 1 } } })).toMatchObject([
      { event: 'note', name: 'noneSuchMessage', isUnknown: true, raw: { key: { id: '3AMSG1' } } },
    ])
  })
})

describe('people', () => {
  test.each([
    ['phone', {}, ANA_JID, [ANA_JID]],
    [
      'phone with its hidden id',
      { remoteJidAlt: ANA_LID, addressingMode: 'pn' },
      ANA_JID,
      [ANA_JID, ANA_LID],
    ],
    ['hidden id with its phone', { remoteJid: ANA_LID, remoteJidAlt: ANA_JID }, ANA_LID, [ANA_LID, ANA_JID]],
    ['hidden id alone', { remoteJid: ANA_LID }, ANA_LID, [ANA_LID]],
  ])('%s', (_, key, remoteJid, jids) => {
    expect(read({ key })).toMatchObject([{ chat: { remoteJid, jids, ownJid: OWN_JID } }])
  })

  test('3: own messages are in the chat of the other, though their `from` is that chat', () => {
    expect(read({ fromMe: true, key: { remoteJid: ANA_LID } })).toMatchObject([
      { fromMe: true, chat: { remoteJid: ANA_LID, ownJid: OWN_JID } },
    ])
  })

  test('a note to oneself is in the chat of the own phone', () => {
    expect(read({ fromMe: true, key: { remoteJid: '99900000001@lid' } })).toMatchObject([
      { chat: { remoteJid: OWN_JID, jids: [OWN_JID] } },
    ])
  })
})

describe('events', () => {
  test('4: of the two events of one received message, one is read', () => {
    expect(eventsOf(delivery('message', wahaMessage()))).toEqual([])
    expect(eventsOf(any())).toHaveLength(1)
  })

  test.each([
    [-1, 'failed'],
    [1, 'sent'],
    [2, 'delivered'],
    [3, 'read'],
    [4, 'read'],
  ])('an ack of %i is %s; 2: its id is that of the send, under phone or hidden id', (number, expected) => {
    for (const chat of ['5511987654321@c.us', ANA_LID])
      expect(eventsOf(ack(number, { chat }))).toEqual([
        { event: 'ack', messageId: '3EB0AA', delivery: expected },
      ])
  })

  test('an ack of 0 proves nothing, and one of a group is of no person', () => {
    expect(eventsOf(ack(0))).toEqual([])
    expect(eventsOf(ack(3, { chat: '120363000000000001@g.us' }))).toEqual([])
  })

  test('reactions, their end, and ours', () => {
    const about = { event: 'reaction', messageId: '3EB0AA', atSeconds: NOON, reactionId: '3AREACTION' }
    expect(eventsOf(reaction('❤️'))).toEqual([{ ...about, isOwn: false, emoji: '❤️' }])
    expect(eventsOf(reaction(''))).toEqual([{ ...about, isOwn: false, emoji: '' }])
    expect(eventsOf(reaction('👍', { fromMe: true, target: `false_${ANA_LID}_3EB0AA` }))).toEqual([
      { ...about, isOwn: true, emoji: '👍' },
    ])
  })

  test('edits and deletions, by the bare id of the first message', () => {
    expect(eventsOf(edited('Às 11h'))).toEqual([
      { event: 'edit', messageId: '3AMSG1', body: 'Às 11h', atMs: AT_MS, jid: ANA_JID },
    ])
    expect(eventsOf(edited(null))).toEqual([])
    expect(eventsOf(revoked())).toEqual([{ event: 'revoke', messageId: '3AMSG1', atMs: AT_MS }])
    expect(eventsOf(revoked('120363000000000001@g.us'))).toEqual([])
  })

  test.each([
    ['STOPPED', 'close', null],
    ['STARTING', 'connecting', null],
    ['SCAN_QR_CODE', 'connecting', null],
    ['PASSKEY_REQUIRED', 'connecting', null],
    ['PASSKEY_CONFIRMATION_REQUIRED', 'connecting', null],
    ['WORKING', 'open', OWN_JID],
    ['FAILED', 'close', null],
    ['SOMETHING_NEW', 'close', null],
  ])('a session that is %s is %s', (name, state, ownerJid) => {
    const profileName = ownerJid === null ? null : 'Eva Corretora'
    expect(eventsOf(status(name))).toEqual([
      {
        event: 'link',
        state,
        reason: null,
        rank: 2,
        atMs: AT_MS,
        ownerJid,
        profileName,
        profilePicUrl: null,
      },
    ])
  })

  test('a session that fails before a phone was linked has used up its codes', () => {
    expect(eventsOf(status('FAILED', { isLinked: false }))).toMatchObject([
      { event: 'link', state: 'close' },
      { event: 'qr', isLimit: true, image: null },
    ])
  })

  test.each([
    ['call.received', 'offer', 'offered'],
    ['call.accepted', 'accept', 'answered'],
    ['call.rejected', 'reject', 'missed'],
  ])('%s', (event, state, expected) => {
    expect(eventsOf(call(event, state))).toEqual([
      {
        event: 'call',
        messageId: 'CALL1',
        chat: { remoteJid: ANA_JID, jids: [ANA_JID], ownJid: OWN_JID },
        sentAtSeconds: NOON,
        status: expected,
        isVideo: false,
        seconds: null,
      },
    ])
    expect(eventsOf(call(event, state, { _data: undefined }))).toMatchObject([
      { sentAtSeconds: NOON, status: expected },
    ])
    expect(eventsOf(call(event, state, { isGroup: true }))).toEqual([])
  })

  test.each(['presence.update', 'poll.vote', 'group.v2.join', 'constructor'])('%s is ignored', (event) => {
    expect(eventsOf(delivery(event, { id: 'x' }))).toEqual([])
  })

  test.each([
    null,
    [],
    {},
    { event: 'message.any' },
    delivery('message.any', { id: 'x' }),
    delivery('message.ack', { from: '5511987654321@c.us' }),
    delivery('message.revoked', {}),
    delivery('session.status', {}),
  ])('%j is no event', (body) => {
    expect(readDelivery(body, LATER_MS)).toEqual({ ok: false, reason: 'not-an-event' })
  })

  test('a delivery without a usable time counts from its arrival', () => {
    for (const timestamp of [undefined, 'gestern', -1, 1e18])
      expect(
        eventsOf({
          ...revoked(),
          timestamp,
          payload: { revokedMessageId: '3A', after: { from: '5511987654321@c.us' } },
        }),
      ).toEqual([{ event: 'revoke', messageId: '3A', atMs: LATER_MS }])
  })
})

describe('stored rows', () => {
  const around = AROUND
  const own = { fromMe: true, id: '3EB0AA' }

  test('a message, its last ack with the reason of a failure, and its reactions', () => {
    const reactions = [{ key: { id: '3AR', fromMe: false }, text: '👍', senderTimestampMs: AT_MS }]
    const row = wahaMessage({
      ...own,
      rest: { ack: -1 },
      data: { messageStubParameters: ['463'], reactions },
    })
    expect(readRecord(row, around)).toMatchObject([
      { event: 'message', messageId: '3EB0AA', isReadBack: true },
      { event: 'ack', messageId: '3EB0AA', delivery: 'failed', code: '463' },
      {
        event: 'reaction',
        messageId: '3EB0AA',
        emoji: '👍',
        isOwn: false,
        reactionId: '3AR',
        atSeconds: NOON,
      },
    ])
  })

  test('an edited message has the time of its edit', () => {
    const message = { editedMessage: { message: { extendedTextMessage: { text: 'Às 11h' } } } }
    expect(readRecord(wahaMessage({ message }), around)).toMatchObject([
      { event: 'message', body: 'Às 11h' },
      { event: 'edit', messageId: '3AMSG1', body: 'Às 11h', atMs: AT_MS, readAtMs: LATER_MS, jid: ANA_JID },
    ])
  })

  test('an old row without an ack, and one from before the phone was linked', () => {
    const row = wahaMessage({ ...own, rest: { ack: null, ackName: 'UNKNOWN' }, data: { status: undefined } })
    expect(readRecord(row, around)).toMatchObject([{ event: 'message', delivery: 'sent' }])
    expect(readRecord(row, { ...around, fromSeconds: NOON + 1 })).toEqual([])
  })

  test.each([null, {}, { _data: {} }, { _data: { key: {} } }, 7])('%j is nothing', (row) => {
    expect(readRecord(row, around)).toEqual([])
  })
})

describe('people and files of a raw delivery', () => {
  const { itemsOf, filesOf } = WAHA_DELIVERIES

  test.each<[string, unknown, string[]]>([
    ['a message', any({ key: { remoteJid: ANA_LID, remoteJidAlt: ANA_JID } }), [ANA_LID, ANA_JID]],
    ['an ack', ack(3), [ANA_JID]],
    ['a deletion', revoked(), [ANA_JID]],
    ['a call', call('call.received', 'offer'), [ANA_JID]],
    ['a state', status('WORKING'), []],
    ['nothing', null, []],
  ])('%s has the addresses of the other, never our own', (_, body, jids) => {
    expect(itemsOf(body)).toEqual([{ jids, hasFile: false }])
  })

  test('9: a file is named by its address, and its reference lands where the message is read', () => {
    const message = { ephemeralMessage: { message: { imageMessage: { mimetype: 'image/jpeg' } } } }
    const body = any({ message, rest: media('image/jpeg', 'jpeg') })
    const [item] = itemsOf(body)
    const [file] = filesOf(body)
    expect(item).toMatchObject({ hasFile: true })
    expect(file).toMatchObject({ address: 'http://localhost:3000/api/files/eva/3AMSG1.jpeg' })
    file?.replace('stored:abc')
    expect(eventsOf(body)).toMatchObject([{ kind: 'image', content: { mediaId: 'abc' } }])
    expect(JSON.stringify(body)).not.toContain('localhost')
    expect(filesOf(body)).toEqual([])
  })

  test('a file that was sent through the API is not fetched back', () => {
    const sent = { fromMe: true, message: { imageMessage: {} }, rest: media('image/jpeg', 'jpeg') }
    const typed = any(sent)
    const byApi = any({ ...sent, rest: { ...sent.rest, source: 'api' } })
    expect([typed, byApi].map((body) => filesOf(body).length)).toEqual([1, 0])
  })

  test.each([
    ['a group', { key: { remoteJid: '120363041234567890@g.us' } }, 'message.any'],
    ['the status', { key: { remoteJid: 'status@broadcast' } }, 'message.any'],
    ['a second report', {}, 'message'],
  ])('a file of %s, which is not read, is not fetched', (_, given, event) => {
    const message = { imageMessage: { mimetype: 'image/jpeg' } }
    const body = { ...any({ ...given, message, rest: media('image/jpeg', 'jpeg') }), event }
    expect(eventsOf(body)).toEqual([])
    expect(filesOf(body)).toEqual([])
  })

  test('a file that could not be had leaves a message without it', () => {
    const body = any({ message: { imageMessage: {} }, rest: media('image/jpeg', 'jpeg') })
    filesOf(body)[0]?.replace(null)
    expect(eventsOf(body)).toMatchObject([{ kind: 'image', content: { mediaId: null } }])
  })
})

test('any JSON is read without an exception, as a delivery, a payload and a row', () => {
  const events = [
    'message.any',
    'message.ack',
    'message.reaction',
    'message.edited',
    'message.revoked',
    'session.status',
    'call.received',
  ]
  const given = fc.tuple(fc.constantFrom(...events), fc.jsonValue(), fc.jsonValue())
  const outcomes = (one: unknown) => [readDelivery(one, LATER_MS).ok, Array.isArray(readRecord(one, AROUND))]
  fc.assert(
    fc.property(given, ([event, value, message]) => {
      const bodies = [value, delivery(event, value), delivery(event, wahaMessage({ message }))]
      for (const body of bodies) expect(outcomes(body)).toEqual([expect.any(Boolean), true])
    }),
    { numRuns: byTier(300, 3_000) },
  )
})
