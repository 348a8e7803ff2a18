// Every message kind of WhatsApp's protocol has a decision, and an unknown one becomes a note that says so.
import { describe, expect, it } from 'vitest'
import { readDelivery } from '#server/whatsapp/gateway/evolution/deliveries.ts'
import { DECISIONS, decide, layersOf } from '#server/whatsapp/gateway/message/message-names.ts'
import { delivery, messageData, upsert, type Written } from '#tests/support/deliveries.ts'
import { table } from '#tests/support/table.ts'

/** The fields of proto.Message in baileys 7.0.0-rc14, of May 2026. */
const PROTOCOL = `
conversation senderKeyDistributionMessage imageMessage contactMessage locationMessage extendedTextMessage
documentMessage audioMessage videoMessage call chat protocolMessage contactsArrayMessage highlyStructuredMessage
fastRatchetKeySenderKeyDistributionMessage sendPaymentMessage liveLocationMessage requestPaymentMessage
declinePaymentRequestMessage cancelPaymentRequestMessage templateMessage stickerMessage groupInviteMessage
templateButtonReplyMessage productMessage deviceSentMessage messageContextInfo listMessage viewOnceMessage orderMessage
listResponseMessage ephemeralMessage invoiceMessage buttonsMessage buttonsResponseMessage paymentInviteMessage
interactiveMessage reactionMessage stickerSyncRmrMessage interactiveResponseMessage pollCreationMessage
pollUpdateMessage keepInChatMessage documentWithCaptionMessage requestPhoneNumberMessage viewOnceMessageV2
encReactionMessage editedMessage viewOnceMessageV2Extension pollCreationMessageV2 scheduledCallCreationMessage
groupMentionedMessage pinInChatMessage pollCreationMessageV3 scheduledCallEditMessage ptvMessage botInvokeMessage
callLogMesssage messageHistoryBundle encCommentMessage bcallMessage lottieStickerMessage eventMessage
encEventResponseMessage commentMessage newsletterAdminInviteMessage placeholderMessage secretEncryptedMessage
albumMessage eventCoverImage stickerPackMessage statusMentionMessage pollResultSnapshotMessage
pollCreationOptionImageMessage associatedChildMessage groupStatusMentionMessage pollCreationMessageV4 statusAddYours
groupStatusMessage richResponseMessage statusNotificationMessage limitSharingMessage botTaskMessage questionMessage
messageHistoryNotice groupStatusMessageV2 botForwardedMessage statusQuestionAnswerMessage questionReplyMessage
questionResponseMessage statusQuotedMessage statusStickerInteractionMessage pollCreationMessageV5
newsletterFollowerInviteMessageV2 pollResultSnapshotMessageV3`
  .trim()
  .split(/\s+/)

function eventsOf(body: unknown) {
  const reading = readDelivery(body, Date.UTC(2026, 10, 28))
  if (!reading.ok) throw new Error(reading.reason)
  return reading.events
}
const read = (message: object, rest: Written = {}) => eventsOf(upsert({ message, ...rest }))

describe('the table of names', () => {
  it('equals the protocol’s list', () => {
    expect(PROTOCOL).toHaveLength(95)
    expect([...DECISIONS.keys()].toSorted()).toEqual(PROTOCOL.toSorted())
  })

  it.each(PROTOCOL)('%s is handled as decided', (name) => {
    const decision = DECISIONS.get(name)
    const message =
      decision === 'wrapper'
        ? { [name]: { message: { conversation: 'dentro' } } }
        : { [name]: name === 'conversation' ? 'Olá' : { key: { id: 'X' } } }
    const events = read(message).map(({ event }) => event)
    const means = { content: ['message'], wrapper: ['message'], note: ['note'], silent: [] }
    const own: Record<string, string[]> = { reactionMessage: ['reaction'], callLogMesssage: ['call'] }
    expect(events).toEqual(own[name] ?? means[decision!])
    if (decision === 'wrapper') expect(read(message)).toMatchObject([{ body: 'dentro' }])
  })

  it('reads the text, and not the fields beside it', () => {
    const beside = {
      messageContextInfo: { messageSecret: {} },
      senderKeyDistributionMessage: { groupId: 'g' },
    }
    expect(read({ ...beside, conversation: 'Oi' })).toMatchObject([{ event: 'message', body: 'Oi' }])
    expect(read({ ...beside, pinInChatMessage: { type: 1 } })).toMatchObject([{ event: 'note' }])
    expect(read(beside)).toEqual([])
    expect(read({ audioMessage: {}, speechToText: '[audio] oi', mediaUrl: 'https://x' })).toMatchObject([
      { kind: 'audio' },
    ])
  })
})

describe('a future kind', () => {
  it('is a note that keeps the gateway’s name for it', () => {
    const message = { hologramMessage: { text: 'Oi\u0000' } }
    expect(read(message, { id: 'H1' })).toMatchObject([
      {
        event: 'note',
        messageId: 'H1',
        name: 'hologramMessage',
        isUnknown: true,
        raw: { key: { id: 'H1' }, message: { hologramMessage: { text: 'Oi' } } },
      },
    ])
  })

  it('is named by the kind inside a known wrapper', () => {
    expect(decide({ newThing: {} })).toEqual({ decision: 'note', name: 'newThing', isUnknown: true })
    expect(read({ ephemeralMessage: { message: { newThing: {} } } })).toMatchObject([{ name: 'newThing' }])
  })

  it('has a name of limited length, and no invalid one', () => {
    expect(read({ ['x'.repeat(500)]: {} })).toMatchObject([{ name: 'x'.repeat(80) }])
    expect(read({ 'a b': {}, '': {}, n: 7, list: [] })).toEqual([])
  })

  it('opens a dozen wrappers and reports more as too deep', () => {
    let message: Record<string, unknown> = { conversation: 'fundo' }
    for (let depth = 0; depth < 1_000; depth++) message = { ephemeralMessage: { message } }
    expect([...layersOf(message)]).toHaveLength(13)
    expect(read(message)).toMatchObject([{ event: 'note', name: 'ephemeralMessage', isUnknown: true }])
  })
})

describe('notes', () => {
  it.each<[string, object, object]>([
    ['a pin', { pinInChatMessage: { type: 1 } }, { isUndone: false }],
    ['a pin taken off', { pinInChatMessage: { type: 'UNPIN_FOR_ALL' } }, { isUndone: true }],
    ['a kept message', { keepInChatMessage: { keepType: 'KEEP_FOR_ALL' } }, { isUndone: false }],
    ['one kept no longer', { keepInChatMessage: { keepType: 2 } }, { isUndone: true }],
    ['a poll’s result', { pollResultSnapshotMessage: { name: 'Sábado?' } }, { text: 'Sábado?' }],
  ])('%s', (_, message, part) => {
    expect(read(message)).toMatchObject([{ event: 'note', isUnknown: false, raw: null, ...part }])
  })

  it.each<[string, unknown, string[]]>([
    ['a number that changed', 42, ['changedNumber']],
    ['what could not be decrypted', 'CIPHERTEXT', ['ciphertext']],
    ['a new key', 39, []],
    ['no type at all', undefined, []],
    ['a type of tomorrow', 'TOMORROW', []],
  ])('a message without content: %s', (_, messageStubType, names) => {
    const events = eventsOf(upsert({ message: null, rest: { messageStubType } }))
    expect(events.map((event) => event.event === 'note' && event.name)).toEqual(names)
  })

  it('a chat setting comes as an edit without a key, and is no fault', () => {
    const setting = { type: 'EPHEMERAL_SETTING', ephemeralExpiration: 86_400 }
    expect(eventsOf(delivery('messages.edited', setting))).toEqual([])
  })

  it('a group, a status and a channel have none', () => {
    for (const remoteJid of ['123-456@g.us', 'status@broadcast', '120363@newsletter'])
      expect(read({ pinInChatMessage: {} }, { key: { remoteJid } })).toEqual([])
  })
})

describe('names', () => {
  const nameIn = (data: object) => {
    const [event] = eventsOf(delivery('messages.upsert', { ...messageData({ pushName: null }), ...data }))
    return event?.event === 'message' ? event.pushName : 'no message'
  }

  table('%j is %j', (pushName) => nameIn({ pushName }), [
    ['\u200b', null],
    ['\u3164', null],
    ['\u3164\u200d \ufe0f', null],
    ['\u2800\u00ad\u115f\uffa0', null],
    ['\u0301', null],
    ['  \u200bAna\u200b ', 'Ana'],
    ['Ana\u3164Lima', 'Ana\u3164Lima'],
    ['5511987654321@s.whatsapp.net', null],
    ['🏡', '🏡'],
    ['José', 'José'],
    ['나래', '나래'],
    ['你', '你'],
  ])

  it('is the verified name if a business gave none', () => {
    expect(nameIn({ verifiedBizName: 'Construtora Sol' })).toBe('Construtora Sol')
    expect(nameIn({ pushName: '\u3164', verifiedBizName: 'Construtora Sol' })).toBe('Construtora Sol')
    expect(nameIn({ pushName: 'Ana', verifiedBizName: 'Construtora Sol' })).toBe('Ana')
    const contact = { remoteJid: '5511987654321@s.whatsapp.net', pushName: null, verifiedName: 'Banco Lua' }
    expect(eventsOf(delivery('contacts.update', contact))).toMatchObject([
      { event: 'name', name: 'Banco Lua' },
    ])
  })
})
