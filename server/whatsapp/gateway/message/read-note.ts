// System messages of a conversation: pins, poll results, a changed number, an unknown type.
import { child, cleanValue, fieldsOf, number, text, type Fields } from './field.ts'
import type { Incoming, NoteEvent } from '#server/delivery.ts'
import type { Decided } from './message-names.ts'

type Parts = Pick<NoteEvent, 'chat' | 'fromMe' | 'sentAtSeconds' | 'messageId'>

type Found = { data: Fields; inner: Fields; decided: Decided; known: Parts }

/** A note by its type name; one of an unknown type keeps the original JSON. */
export function readNote({ data, inner, decided: { name, isUnknown }, known }: Found): NoteEvent {
  const fields = child(inner, name)
  return {
    event: 'note',
    ...known,
    name,
    isUnknown,
    isUndone: isUndone(fields),
    text: text(fields['name'], 200),
    raw: isUnknown ? fieldsOf(cleanValue(data)) : null,
  }
}

/** PinInChatMessage.Type, KeepType and ScheduledCallEditMessage.EditType: 2 or CANCEL undoes something. */
const UNDONE = [2, 'UNPIN_FOR_ALL', 'UNDO_KEEP_FOR_ALL']

const isUndone = (fields: Fields): boolean => {
  const type = fields['type'] ?? fields['keepType']
  return UNDONE.some((one) => one === (number(type) ?? type))
}

/** WAMessageStubType values that are shown; all others (keys, encryption, business notices) are ignored. */
const STUBS: Readonly<Record<string, string>> = {
  2: 'ciphertext',
  CIPHERTEXT: 'ciphertext',
  42: 'changedNumber',
  INDIVIDUAL_CHANGE_NUMBER: 'changedNumber',
}

/** A message without content. */
export function readStub(data: Fields, parts: Parts): Incoming[] {
  const type = String(data['messageStubType'])
  const name = Object.hasOwn(STUBS, type) ? STUBS[type] : undefined
  if (name === undefined) return []
  return [{ event: 'note', ...parts, name, isUnknown: false, isUndone: false, text: null, raw: null }]
}
