// The texts of grey notes, by their names in WhatsApp's protocol.
import type { Note } from './message.ts'

/** The text for an unknown name. */
const UNKNOWN = 'Mensagem de um tipo novo. Veja no WhatsApp.'

type Words = (who: string, note: Note) => string

const WORDS: Readonly<Record<string, Words>> = {
  pinInChatMessage: (who, { isUndone }) => `${who} ${isUndone ? 'desafixou' : 'fixou'} uma mensagem`,
  keepInChatMessage: (who, { isUndone }) =>
    `${who} ${isUndone ? 'deixou de guardar' : 'guardou'} uma mensagem temporária`,
  scheduledCallEditMessage: (who) => `${who} cancelou uma chamada marcada`,
  pollResultSnapshotMessage: pollWords,
  pollResultSnapshotMessageV3: pollWords,
  messageHistoryNotice: (who) => `${who} compartilhou mensagens anteriores`,
  requestPhoneNumberMessage: (who) => `${who} pediu para ver o número de telefone`,
  ciphertext: () => 'Mensagem que ainda não chegou inteira. Veja no WhatsApp.',
  changedNumber: (who) => `${who} mudou de número`,
}

function pollWords(_: string, { about }: Note): string {
  return `Resultado da enquete${about === null ? '' : `: ${about}`}. Veja no WhatsApp.`
}

/** `own` names the agency's side. */
export function noteWords(note: Note, name: string, own = 'Você'): string {
  const words = Object.hasOwn(WORDS, note.name) ? WORDS[note.name] : undefined
  return words ? words(note.isOwn ? own : name, note) : UNKNOWN
}
