// Every type name of a WhatsApp message, with the portal's handling. The protocol sets one of them per
// message.
import { child, fieldsOf, type Fields } from './field.ts'

export type Decision =
  /** Text, file or card of a person: it is unread, waits, pushes, and an agent may answer it. */
  | 'content'
  /** Contains the real message under `message`. */
  | 'wrapper'
  /** Only a grey line in the conversation. */
  | 'note'
  /** The conversation does not show it. */
  | 'silent'

const named = <D extends Decision>(decision: D, names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((name): [string, D] => [name, decision])

/** From baileys 7.0.0-rc14 (`proto.Message`), including the protocol's spelling callLogMesssage. */
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
  // Edits, revokes and reactions are read before this table is used.
  ...named('silent', 'protocolMessage reactionMessage'),
  // The head of an album: its photos are separate messages.
  ...named('silent', 'albumMessage'),
  // Keys, votes and encrypted answers, and copies between a person's own devices.
  ...named(
    'silent',
    `senderKeyDistributionMessage fastRatchetKeySenderKeyDistributionMessage messageContextInfo
    encReactionMessage encCommentMessage encEventResponseMessage pollUpdateMessage secretEncryptedMessage
    placeholderMessage stickerSyncRmrMessage messageHistoryBundle call chat bcallMessage`,
  ),
  // Messages of status and channels.
  ...named(
    'silent',
    `statusMentionMessage groupStatusMentionMessage statusAddYours groupStatusMessage groupStatusMessageV2
    statusNotificationMessage statusQuestionAnswerMessage statusQuotedMessage statusStickerInteractionMessage`,
  ),
])

const MAX_DEPTH = 12

/** The message inside the outermost wrapper, and the wrapper's name; null without one. */
function openWrapper(message: Fields): { name: string; inner: Fields } | null {
  for (const name of Object.keys(message)) {
    const inner = DECISIONS.get(name) === 'wrapper' ? fieldsOf(child(message, name)['message']) : null
    if (inner) return { name, inner }
  }
  return null
}

/** Each message object from outside to inside, with the wrapper around it. */
export function* layersOf(message: Fields): Generator<{ wrapper: string | null; message: Fields }> {
  let layer: { name: string; inner: Fields } | null = { name: '', inner: message }
  for (let depth = 0; layer && depth <= MAX_DEPTH; depth++) {
    yield { wrapper: layer.name || null, message: layer.inner }
    layer = openWrapper(layer.inner)
  }
}

/** Objects that the gateway, or its version 1, adds beside the message. */
const BESIDE = ['contextInfo', 'base64']
const MAX_NAME = 80

export type Decided = { decision: Exclude<Decision, 'wrapper'>; name: string; isUnknown: boolean }

const RANK = { content: 3, note: 2, silent: 1 }

/**
 * The handling of the innermost message object: content takes precedence over a note, a note over a silent
 * type. An unknown name is a note. Null without any name.
 */
export function decide(inner: Fields): Decided | null {
  const decided = Object.keys(inner).flatMap((name): Decided[] => {
    const decision = DECISIONS.get(name)
    if (decision === undefined) return isMessageName(inner, name) ? [unknown(name)] : []
    if (inner[name] === null || inner[name] === undefined) return []
    // A wrapper that is still closed is nested too deeply; one without a message is silent.
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
