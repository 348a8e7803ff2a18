// Performs commands without waiting for the network. They are stored in the outbox, then sent; the server applies each
// once.
import type { Command, Entry } from '#domain/outbox/command.ts'
import { PortalError } from '#domain/errors.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { LeadRef } from '#domain/outbox/command.ts'
import { addEntry, type Entries, type Stamp } from '#domain/outbox/queue.ts'
import { changeOutbox } from '#offline/outbox.ts'
import { currentOwner } from '#offline/owner.ts'
import { sendSoon } from '#offline/when-to-send.ts'

/**
 * Stores a command in the outbox and shows the change at once. Returns the stored entry; null if the command only
 * cancelled an unsent one. Throws PortalError `session.lost` if nobody is signed in.
 */
export async function perform(command: Command): Promise<Entry | null> {
  return record((entries, stamp) => addEntry(entries, command, stamp))
}

/** Changes the outbox by any rule; otherwise like `perform`. */
export async function record(rule: (entries: Entries, stamp: Stamp) => Entries): Promise<Entry | null> {
  const userId = currentOwner()
  if (userId === null)
    throw new PortalError('session.lost', 'Sua sessão expirou. Entre de novo.', { status: 401 })
  const stamp: Stamp = { id: newOperationId(), userId, nowMs: Date.now() }
  const { before, after } = await changeOutbox((entries) => rule(entries, stamp), stamp.nowMs)
  sendSoon()
  return after.find((entry) => !before.includes(entry)) ?? null
}

export function leadRef({ id, number, name, instanceName }: Lead): LeadRef {
  return { id, number, name, instanceName }
}

/** Makes a random UUID. Browsers lack crypto.randomUUID on pages over plain http. */
export function newOperationId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
