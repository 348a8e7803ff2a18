// An edit or a deletion of a sent message: when WhatsApp allows it, and how the app shows it until WhatsApp has it.
import type { Message, MessageChange } from './message.ts'

/** WhatsApp allows edits and deletions for this long after sending. The server refuses later ones. */
const EDIT_WITHIN_SECONDS = 15 * 60
const DELETE_WITHIN_SECONDS = 2 * 86_400

export function canEdit(message: Message, nowMs: number): boolean {
  const { content, byAssistant } = message
  return content.kind === 'text' && !byAssistant && isOwn(message, nowMs, EDIT_WITHIN_SECONDS)
}

export function canDelete(message: Message, nowMs: number): boolean {
  const { kind } = message.content
  return kind !== 'deleted' && kind !== 'call' && isOwn(message, nowMs, DELETE_WITHIN_SECONDS)
}

const ARRIVED = ['sent', 'delivered', 'read', null]

function isOwn({ id, direction, delivery, sentAtSeconds }: Message, nowMs: number, withinSeconds: number) {
  const hasArrived = id > 0 && ARRIVED.includes(delivery)
  return direction === 'outgoing' && hasArrived && nowMs / 1000 - sentAtSeconds < withinSeconds
}

/**
 * Applies a change to a message. A queued change shows its result; a refused one shows only its reason. `body` is the
 * new text.
 */
export function withChange(message: Message, change: MessageChange, body: string): Message {
  if (change.state !== 'queued') return { ...message, change }
  return change.kind === 'edit'
    ? { ...message, body, change }
    : { ...message, body: '', content: { kind: 'deleted' }, quote: null, isEdited: false, change }
}

const WORDS = {
  edit: {
    refused: 'O WhatsApp não aceitou a edição. O contato vê o texto de antes.',
    late: 'A edição não saiu a tempo: o WhatsApp só aceita até 15 minutos depois do envio.',
    unknown: 'O WhatsApp não confirmou a edição. Confira no celular.',
  },
  delete: {
    refused: 'O WhatsApp não apagou a mensagem. O contato ainda a vê.',
    late: 'Não foi apagada: o WhatsApp só apaga para todos até 2 dias depois do envio.',
    unknown: 'O WhatsApp não confirmou que apagou. Confira no celular.',
  },
}

/** Tells why a change was refused or is uncertain; null while it is queued. */
export function changeFault({ kind, state, said }: MessageChange): string | null {
  return state === 'queued' ? null : (said ?? WORDS[kind][state])
}

/** For example 'editando…' online, where the change should happen within moments. */
export function changeLabel({ kind }: MessageChange, isOnline: boolean): string {
  if (isOnline) return kind === 'edit' ? 'editando…' : 'apagando…'
  return kind === 'edit' ? 'edição na fila' : 'apagar na fila'
}

/** Returns the instant until which WhatsApp accepts an edit. */
export const editableUntilMs = ({ sentAtSeconds }: Message): number =>
  (sentAtSeconds + EDIT_WITHIN_SECONDS) * 1000
