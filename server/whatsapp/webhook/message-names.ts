// Every name a WhatsApp message can have, with what the portal does with it. The protocol sets one of them per message.
import { child, fieldsOf, type Fields } from './field.ts'

export type Decision =
  /** Words, a file or a card of a person: it counts as unread, waits, rings, and an agent may answer it. */
  | 'content'
  /** Holds the real message under `message`. */
  | 'wrapper'
  /** A grey line in the conversation that does nothing else. */
  | 'note'
  /** Leaves no trace in the conversation. */
  | 'silent'

const named = <D extends Decision>(decision: D, names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((name): [string, D] => [name, decision])

/** As baileys 7.0.0-rc14 lists them (`proto.Message`), the protocol's own spelling of callLogMesssage included. */
export const DECISIONS: ReadonlyMap<string, Decision> = new Map<string, Decision>([
  ...named(
    'content',
    `conversation extendedTextMessage buttonsResponseMessage templateButtonReplyMessage listResponseMessage
    interactiveResponseMessage questionResponseMessage commentMessage
    imageMessage videoMessage ptvMessage audioMessage documentMessage stickerMessage stickerPackMessage
    contactMessage contactsArrayMessage locationMessage liveLocationMessage
    pollCreationMessage pollCreationMessageV2 pollCreationMessageV3 pollCreationMessageV5
    eventMessage scheduledCallCreationMessage callLogMesssage
    groupInviteMessage newsletterAdminInviteMessage newsletterFollowerInviteMessageV2
    templateMessage highlyStructuredMessage interactiveMessage buttonsMessage listMessage
    productMessage orderMessage invoiceMessage
    requestPaymentMessage sendPaymentMessage paymentInviteMessage
    declinePaymentRequestMessage cancelPaymentRequestMessage richResponseMessage`,
  ),
  ...named(
    'wrapper',
    `ephemeralMessage viewOnceMessage viewOnceMessageV2 viewOnceMessageV2Extension documentWithCaptionMessage
    editedMessage deviceSentMessage groupMentionedMessage lottieStickerMessage associatedChildMessage
    botInvokeMessage botForwardedMessage botTaskMessage pollCreationMessageV4 pollCreationOptionImageMessage
    eventCoverImage questionMessage questionReplyMessage limitSharingMessage`,
  ),
  ...named(
    'note',
    `pinInChatMessage keepInChatMessage scheduledCallEditMessage pollResultSnapshotMessage
    pollResultSnapshotMessageV3 messageHistoryNotice requestPhoneNumberMessage`,
  ),
  // Edits, revokes and reactions have readers of their own, which come before this table.
  ...named('silent', 'protocolMessage reactionMessage'),
  // The head of an album: each of its photos comes as a message of its own.
  ...named('silent', 'albumMessage'),
  // Keys, votes and answers that nobody but WhatsApp can open, and copies between a person's own devices.
  ...named(
    'silent',
    `senderKeyDistributionMessage fastRatchetKeySenderKeyDistributionMessage messageContextInfo
    encReactionMessage encCommentMessage encEventResponseMessage pollUpdateMessage secretEncryptedMessage
    placeholderMessage stickerSyncRmrMessage messageHistoryBundle call chat bcallMessage`,
  ),
  // Of status and channels, which are no conversation.
  ...named(
    'silent',
    `statusMentionMessage groupStatusMentionMessage statusAddYours groupStatusMessage groupStatusMessageV2
    statusNotificationMessage statusQuestionAnswerMessage statusQuotedMessage statusStickerInteractionMessage`,
  ),
])

const MAX_DEPTH = 12

/** The message inside the outermost wrapper, and the wrapper's name; null where there is none. */
function openWrapper(message: Fields): { name: string; inner: Fields } | null {
  for (const name of Object.keys(message)) {
    const inner = DECISIONS.get(name) === 'wrapper' ? fieldsOf(child(message, name)['message']) : null
    if (inner) return { name, inner }
  }
  return null
}

/** Each message object from the outermost one to the innermost, with the wrapper it stood in. */
export function* layersOf(message: Fields): Generator<{ wrapper: string | null; message: Fields }> {
  let layer: { name: string; inner: Fields } | null = { name: '', inner: message }
  for (let depth = 0; layer && depth <= MAX_DEPTH; depth++) {
    yield { wrapper: layer.name || null, message: layer.inner }
    layer = openWrapper(layer.inner)
  }
}

/** Objects that the gateway or version 1 of its wire put beside the message. */
const BESIDE = ['contextInfo', 'base64']
const MAX_NAME = 80

export type Decided = { decision: Exclude<Decision, 'wrapper'>; name: string; isUnknown: boolean }

const RANK = { content: 3, note: 2, silent: 1 }

/**
 * What is done with the innermost message object: content comes before a note, a note before what is silent. A name that is not
 * in the table is a note. Null for an object without any name.
 */
export function decide(inner: Fields): Decided | null {
  const decided = Object.keys(inner).flatMap((name): Decided[] => {
    const decision = DECISIONS.get(name)
    if (decision === undefined) return isMessageName(inner, name) ? [unknown(name)] : []
    if (inner[name] === null || inner[name] === undefined) return []
    // A wrapper that is still closed is nested too deeply; one without a message says nothing.
    if (decision === 'wrapper')
      return [fieldsOf(child(inner, name)['message']) ? unknown(name) : { ...SILENT, name }]
    return [{ decision, name, isUnknown: false }]
  })
  return decided.toSorted((a, b) => RANK[b.decision] - RANK[a.decision])[0] ?? null
}

const unknown = (name: string): Decided => ({
  decision: 'note',
  name: name.slice(0, MAX_NAME),
  isUnknown: true,
})
const SILENT = { decision: 'silent', isUnknown: false } as const

const isMessageName = (inner: Fields, name: string): boolean =>
  fieldsOf(inner[name]) !== null && /^\w+$/.test(name) && !BESIDE.includes(name)
