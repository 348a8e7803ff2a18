import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Incoming, IncomingMessage } from '#server/delivery.ts'
import { readDelivery, readRecord } from '#server/whatsapp/gateway/evolution/deliveries.ts'
import {
  ack,
  ANA,
  ANA_LID,
  connection,
  delivery,
  edited,
  messageData,
  named,
  NOON,
  OWN_JID,
  qr,
  reaction,
  revoked,
  sent,
  upsert,
} from '#tests/support/deliveries.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const AT_MS = NOON * 1000
/** The gateway retries for this long. */
const LATER_MS = AT_MS + 20 * 60_000

function eventsOf(body: unknown): Incoming[] {
  const reading = readDelivery(body, LATER_MS)
  if (!reading.ok) throw new Error(reading.reason)
  return reading.events
}

function messageOf(body: unknown): IncomingMessage {
  const [event] = eventsOf(body)
  if (event?.event !== 'message') throw new Error(`read as ${event?.event ?? 'nothing'}`)
  return event
}

const long = (low: number, high = 0) => ({ low, high, unsigned: true })

describe("the gateway's time zone", () => {
  const madeAt = (minutes: number, lateMs: number) => {
    const written = new Date(AT_MS + minutes * 60_000).toISOString()
    const body = { ...(revoked('MSG1', AT_MS) as object), date_time: written }
    const reading = readDelivery(body, AT_MS + lateMs)
    return reading.ok ? reading.events : reading
  }

  it.each([
    ['São Paulo', -180],
    ['Kolkata', 330],
    ['Kathmandu, a quarter beside the hour', 345],
    ['the Chatham Islands', 765],
  ])('is %s: an immediate delivery was made then', (_, minutes) => {
    expect(madeAt(minutes, 1_200)).toMatchObject([{ event: 'revoke', atMs: AT_MS }])
  })

  it.each([60_000, 14 * 60_000, 16 * 60_000, 20 * 60_000])('São Paulo’s, retried for %i ms', (lateMs) => {
    expect(madeAt(-180, lateMs)).toMatchObject([{ event: 'revoke', atMs: AT_MS }])
  })
})

describe('messages', () => {
  it('keeps everything that it cannot show, without what Postgres refuses', () => {
    const event = messageOf(upsert({ message: { eventMessage: { title: 'Qual\u0000?\ud800' } } }))
    expect(event).toMatchObject({ kind: 'text', body: 'Evento' })
    const place = messageOf(upsert({ message: { locationMessage: { name: 'Qual\u0000?\ud800' } } }))
    expect(place.raw).toMatchObject({ message: { locationMessage: { name: 'Qual?\ufffd' } } })
    expect(messageOf(upsert()).raw).toBeNull()
  })

  it('an incoming one, complete', () => {
    expect(eventsOf(upsert())).toEqual([
      {
        event: 'message',
        messageId: 'MSG1',
        chat: { remoteJid: ANA, jids: [ANA], ownJid: OWN_JID },
        fromMe: false,
        isViaApi: false,
        sentAtSeconds: NOON,
        pushName: 'Ana',
        delivery: 'delivered',
        kind: 'text',
        body: 'Olá',
        content: null,
        quoted: null,
        ad: null,
        raw: null,
      },
    ])
  })

  it('typed on the phone, or sent through the API', () => {
    expect(messageOf(upsert({ fromMe: true }))).toMatchObject({
      fromMe: true,
      isViaApi: false,
      pushName: null,
    })
    expect(messageOf(sent())).toMatchObject({
      fromMe: true,
      isViaApi: true,
      pushName: null,
      delivery: 'sent',
    })
  })

  it.each([['Você'], ['você '], [null], [''], ['null'], ['+55 11 98765-4321'], [7]])(
    'rejects %j as a name',
    (pushName) => {
      expect(messageOf(upsert({ rest: { pushName } })).pushName).toBeNull()
    },
  )

  it.each([
    ['seconds', NOON, NOON],
    ['text', String(NOON), NOON],
    ['protobuf', long(NOON), NOON],
    ['milliseconds', NOON * 1000, NOON],
    ['ISO', '2026-11-21T08:54:27.000Z', NOON],
    ['none: when it was reported', undefined, NOON],
    ['the far future: when it was reported', NOON + 10 * 86_400, NOON],
    ['nonsense: when it was reported', { low: 'x' }, NOON],
  ])('reads the time as %s', (_, messageTimestamp, expected) => {
    expect(messageOf(upsert({ rest: { messageTimestamp } })).sentAtSeconds).toBe(expected)
  })

  it('reads 64-bit numbers from their halves', () => {
    const { content } = messageOf(upsert({ message: { videoMessage: { fileLength: long(-1, 1) } } }))
    expect(content).toMatchObject({ sizeBytes: 2 ** 33 - 1 })
  })

  it('reads a quote at the root, and inside the message', () => {
    const contextInfo = { stanzaId: 'Q', participant: OWN_JID, quotedMessage: { conversation: 'pergunta' } }
    const quoted = { messageId: 'Q', isOwn: true, kind: 'text', body: 'pergunta' }
    expect(messageOf(upsert({ rest: { contextInfo } })).quoted).toEqual(quoted)
    expect(
      messageOf(upsert({ message: { extendedTextMessage: { text: 'a', contextInfo } } })).quoted,
    ).toEqual(quoted)
  })

  it('recognises the advertisement of a lead, and keeps all of it', () => {
    const externalAdReply = { title: 'Torre Azul', sourceApp: 'instagram', sourceUrl: 'https://x' }
    const message = messageOf(upsert({ rest: { contextInfo: { externalAdReply } } }))
    expect(message.ad).toMatchObject({ source: 'instagram', title: 'Torre Azul', link: 'https://x' })
    expect(message.raw).toMatchObject({ contextInfo: { externalAdReply } })
  })

  it.each<[string, Record<string, unknown>, object | null]>([
    [
      'without its card',
      {
        conversionSource: 'FB_Ads',
        entryPointConversionSource: 'ctwa_ad',
        entryPointConversionApp: 'instagram',
      },
      { source: 'instagram', title: null },
    ],
    ['by the family of its ads alone', { conversionSource: 'FB_Ads' }, { source: 'facebook' }],
    ['by the entry alone', { entryPointConversionSource: 'ctwa_ad' }, { source: null }],
    [
      'with all ids',
      {
        externalAdReply: {
          sourceType: 'ad',
          sourceId: '12021',
          ctwaClid: 'ARAk',
          sourceUrl: 'https://www.instagram.com/p/x',
        },
      },
      { source: 'instagram', adId: '12021', clickId: 'ARAk', link: 'https://www.instagram.com/p/x' },
    ],
    ['whose link is a program', { externalAdReply: { sourceUrl: 'javascript:alert(1)' } }, { link: null }],
    ['but a link to chat', { entryPointConversionSource: 'click_to_chat_link' }, null],
    ['but a search', { entryPointConversionSource: 'global_search_new_chat' }, null],
  ])('recognises an advertisement %s', (_, contextInfo, ad) => {
    const message = { extendedTextMessage: { text: 'Oi', contextInfo } }
    if (ad === null) expect(messageOf(upsert({ message })).ad).toBeNull()
    else expect(messageOf(upsert({ message })).ad).toMatchObject(ad)
    expect(messageOf(upsert({ message, fromMe: true })).ad).toBeNull()
    expect(messageOf(upsert({ rest: { contextInfo } })).ad).toEqual(messageOf(upsert({ message })).ad)
  })

  it.each<[string, Record<string, unknown>, string[]]>([
    ['phone', { remoteJid: ANA }, [ANA]],
    ['phone of a device', { remoteJid: '5511987654321:12@s.whatsapp.net' }, [ANA]],
    ['older spelling', { remoteJid: '5511987654321@c.us' }, [ANA]],
    ['bare digits', { remoteJid: '5511987654321' }, [ANA]],
    ['hidden id only', { remoteJid: ANA_LID }, [ANA_LID]],
    ['hidden id and phone beside it', { remoteJid: ANA_LID, remoteJidAlt: ANA }, [ANA_LID, ANA]],
    ['2.3.0 to 2.3.4', { remoteJid: ANA_LID, senderPn: ANA }, [ANA_LID, ANA]],
    ['hidden id it was rewritten from', { remoteJid: ANA, previousRemoteJid: ANA_LID }, [ANA, ANA_LID]],
    ["sender's hidden id", { remoteJid: ANA, senderLid: ANA_LID }, [ANA, ANA_LID]],
    ['hosted', { remoteJid: '99887766554433:3@hosted.lid' }, [ANA_LID]],
  ])('collects the addresses: %s', (_, key, jids) => {
    expect(messageOf(upsert({ key })).chat.jids).toEqual(jids)
  })

  it.each([
    ['123-456@g.us'],
    ['120363@g.us'],
    ['status@broadcast'],
    ['1203@newsletter'],
    ['0@s.whatsapp.net'],
  ])('ignores %s', (remoteJid) => expect(eventsOf(upsert({ key: { remoteJid } }))).toEqual([]))

  it('a list of them, without unreadable ones', () => {
    const list = [messageData({ id: 'A' }), 'x', messageData({ id: 'B' }), { key: {} }]
    expect(
      eventsOf(delivery('messages.upsert', list)).map((event) => 'messageId' in event && event.messageId),
    ).toEqual(['A', 'B'])
    expect(eventsOf(delivery('messages.upsert', { messages: list }))).toHaveLength(2)
  })
})

describe('changes of messages', () => {
  it.each([
    ['PENDING', 'sent'],
    ['SERVER_ACK', 'sent'],
    ['DELIVERY_ACK', 'delivered'],
    ['READ', 'read'],
    ['PLAYED', 'read'],
    ['ERROR', 'failed'],
    [4, 'read'],
  ])('%j is %s', (status, expected) => {
    expect(eventsOf(delivery('messages.update', { keyId: 'A', status }))).toEqual([
      { event: 'ack', messageId: 'A', delivery: expected },
    ])
  })

  it('ignores EDITED, DELETED and similar statuses', () => {
    expect(eventsOf(ack('A', 'DELETED'))).toEqual([])
    expect(eventsOf(ack('A', 'toString'))).toEqual([])
  })

  it('reads acks of older gateways, too', () => {
    const expected = [{ event: 'ack', messageId: 'A', delivery: 'read' }]
    const spread = { id: 'A', remoteJid: ANA, fromMe: true, status: 'READ', datetime: 1, owner: 'eva' }
    expect(eventsOf({ event: 'messages.update', instance: 'eva', data: spread })).toEqual(expected)
    expect(eventsOf(delivery('MESSAGES_UPDATE', { key: { id: 'A' }, update: { status: 'READ' } }))).toEqual(
      expected,
    )
    expect(eventsOf(delivery('messages-update', [{ keyId: 'A', status: 'READ' }]))).toEqual(expected)
  })

  it('edits, also of a wrapped message, a caption, and as a message of its own', () => {
    const edit = { event: 'edit', messageId: 'A', body: 'novo', atMs: AT_MS, jid: ANA }
    expect(eventsOf(edited('A', 'novo'))).toEqual([edit])
    const ofCaption = {
      key: { id: 'A' },
      type: 'MESSAGE_EDIT',
      editedMessage: { imageMessage: { caption: 'novo' } },
    }
    expect(eventsOf(delivery('messages.edited', ofCaption))).toEqual([{ ...edit, jid: null }])
    const protocolMessage = { key: { id: 'A' }, type: 14, editedMessage: { conversation: 'novo' } }
    expect(eventsOf(upsert({ id: 'E', message: { protocolMessage } }))).toEqual([edit])
    expect(
      eventsOf(upsert({ id: 'E', message: { editedMessage: { message: { protocolMessage } } } })),
    ).toEqual([edit])
  })

  it('deletions, in all their forms', () => {
    const revoke = { event: 'revoke', messageId: 'A', atMs: AT_MS }
    expect(eventsOf(revoked('A'))).toEqual([revoke])
    expect(eventsOf(delivery('messages.edited', { key: { id: 'A' }, type: 'REVOKE' }))).toEqual([revoke])
    expect(eventsOf(upsert({ message: { protocolMessage: { key: { id: 'A' }, type: 'REVOKE' } } }))).toEqual([
      revoke,
    ])
    expect(eventsOf(upsert({ message: { protocolMessage: { type: 'EPHEMERAL_SETTING' } } }))).toEqual([])
  })

  it('reactions, also removed', () => {
    const base = { event: 'reaction', messageId: 'A', isOwn: false, atSeconds: NOON }
    expect(eventsOf(reaction('A', '👍'))).toEqual([{ ...base, emoji: '👍', reactionId: 'R-A-👍' }])
    expect(eventsOf(reaction('A', '', { fromMe: true }))).toEqual([
      { ...base, isOwn: true, emoji: '', reactionId: 'R-A-' },
    ])
  })

  it("people's names", () => {
    expect(eventsOf(named(ANA, 'Ana'))).toEqual([{ event: 'name', jid: ANA, name: 'Ana' }])
    expect(eventsOf(named('1-2@g.us', 'Grupo'))).toEqual([])
    expect(eventsOf(named(ANA_LID, ''))).toEqual([])
  })
})

describe('the link', () => {
  const none = {
    event: 'link',
    atMs: AT_MS,
    reason: null,
    ownerJid: null,
    profileName: null,
    profilePicUrl: null,
  }

  it.each<[string, unknown, unknown]>([
    [
      'opened',
      connection('open', AT_MS, {
        wuid: '5511900000001:7@s.whatsapp.net',
        profileName: 'Loja',
        profilePictureUrl: 'https://p',
      }),
      {
        ...none,
        state: 'open',
        rank: 2,
        reason: 200,
        ownerJid: OWN_JID,
        profileName: 'Loja',
        profilePicUrl: 'https://p',
      },
    ],
    ['closed', connection('close', AT_MS), { ...none, state: 'close', rank: 2, reason: 401 }],
    ['refused', connection('refused', AT_MS), { ...none, state: 'refused', rank: 2, reason: 200 }],
    [
      'closed on the phone',
      delivery('status.instance', { instance: 'eva', status: 'closed', disconnectionReasonCode: 401 }),
      { ...none, state: 'close', rank: 1, reason: 401 },
    ],
    ['signed out', delivery('logout.instance', null), { ...none, state: 'close', rank: 0 }],
    ['removed', delivery('remove.instance', null), { ...none, state: 'removed', rank: 3 }],
    ['deleted', delivery('instance.delete', { instanceName: 'eva' }), { ...none, state: 'removed', rank: 3 }],
  ])('%s', (_, body, expected) => expect(eventsOf(body)).toEqual([expected]))

  it('codes to scan, and their end', () => {
    expect(eventsOf(qr('2@abc', AT_MS))).toEqual([
      {
        event: 'qr',
        atMs: AT_MS,
        image: 'data:image/png;base64,iVBORw0KGgo=',
        text: '2@abc',
        pairingCode: null,
        count: null,
        isLimit: false,
      },
    ])
    const limit = delivery('qrcode.updated', {
      message: 'QR code limit reached, please login again',
      statusCode: 500,
    })
    expect(eventsOf(limit)).toMatchObject([{ event: 'qr', image: null, isLimit: true }])
  })
})

describe('records of findMessages', () => {
  const record = (rest: Record<string, unknown>) => ({ ...messageData({ fromMe: true, id: 'A' }), ...rest })
  const read = (rest: Record<string, unknown>) =>
    readRecord(record(rest), { ownJid: OWN_JID, atMs: LATER_MS })

  it('a message and its acks, in any order', () => {
    const events = read({
      MessageUpdate: [{ status: 'READ' }, { status: 'SERVER_ACK' }, { status: 'JUNK' }, 3],
    })
    expect(events.map((event) => (event.event === 'ack' ? event.delivery : event.event))).toEqual([
      'message',
      'read',
      'sent',
    ])
  })

  it('edited: the new text, from when the store was read', () => {
    expect(read({ MessageUpdate: [{ status: 'EDITED' }] })[1]).toEqual({
      event: 'edit',
      messageId: 'A',
      body: 'Olá',
      atMs: AT_MS,
      readAtMs: LATER_MS,
      jid: ANA,
    })
  })

  it('edited into nothing: deleted', () => {
    expect(read({ message: null, MessageUpdate: [{ status: 'EDITED' }] })[1]).toEqual({
      event: 'revoke',
      messageId: 'A',
      atMs: AT_MS,
    })
  })

  it.each([[null], [3], [{}], [{ key: { id: 'A' } }]])('tolerates %j', (value) => {
    expect(readRecord(value, { ownJid: null, atMs: AT_MS })).toEqual([])
  })
})

describe('hostile input', () => {
  it.each([
    [null],
    [7],
    ['messages.upsert'],
    [[]],
    [{}],
    [{ event: 3 }],
    [{ event: 'messages.upsert' }],
    [{ event: 'messages.upsert', data: [], x: 1 }],
    [{ event: 'messages.upsert', data: { key: { id: 'A' }, message: {} } }],
    [{ event: 'messages.update', data: { status: 'READ' } }],
    [{ event: 'connection.update', data: { state: 'ajar' } }],
    [{ event: 'qrcode.updated', data: {} }],
  ])('%j is no event', (body) => {
    expect(readDelivery(body, LATER_MS)).toEqual({ ok: false, reason: 'not-an-event' })
  })

  it.each([['presence.update'], ['chats.set'], ['messages.set'], ['__proto__'], ['constructor']])(
    '%s concerns nobody',
    (event) => expect(readDelivery({ event, data: {} }, LATER_MS)).toEqual({ ok: true, events: [] }),
  )

  it('survives any JSON anywhere, and the result is valid for the database', () => {
    const names = [
      'messages.upsert',
      'send.message',
      'messages.update',
      'messages.edited',
      'messages.delete',
      'contacts.update',
      'connection.update',
      'qrcode.updated',
      'status.instance',
    ]
    const pieces = [
      'key',
      'id',
      'remoteJid',
      'message',
      'conversation',
      'ephemeralMessage',
      'imageMessage',
      'contactMessage',
      'vcard',
      'contextInfo',
      'quotedMessage',
      'protocolMessage',
      'reactionMessage',
      'editedMessage',
      'base64',
      'messageTimestamp',
      'status',
      'state',
      'qrcode',
      'wuid',
      'data',
      '__proto__',
    ]
    const strings = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(ANA, ANA_LID, 'REVOKE', 'open', 'stored:x', 'a\u0000b\ud800'),
    )
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 8 },
        strings,
        fc.constantFrom(null, true, 0, -1, 1e300, Number.MAX_SAFE_INTEGER),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...pieces), tie('json'), { maxKeys: 6 }),
      ),
    }))
    const keyed = fc.record({
      key: fc.record({ id: strings, remoteJid: strings, fromMe: fc.boolean() }),
      message: json,
      messageTimestamp: json,
      pushName: json,
      contextInfo: json,
    })
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.oneof(json, keyed), json, (event, data, date_time) => {
        const reading = readDelivery({ event, data, date_time, sender: data }, LATER_MS)
        const written = JSON.stringify(reading)
        expect(written).not.toMatch(/\\u0000|\\ud[89a-f]/i)
        const times = (reading.ok ? reading.events : []).flatMap((item) =>
          item.event === 'message' ? [item.sentAtSeconds] : [],
        )
        expect(times.every(Number.isSafeInteger)).toBe(true)
      }),
      { numRuns: byTier(250, 1_000) },
    )
  })

  it('never cuts a character in half', () => {
    const pushName = 'x'.repeat(199) + '🏡🏡'
    const message = messageOf(
      upsert({ pushName, message: { documentMessage: { fileName: 'x' + '🏡'.repeat(400) } } }),
    )
    expect(JSON.stringify(message)).not.toMatch(/\\ud[89a-f]/i)
    expect(message.pushName).toHaveLength(200)
  })
})
