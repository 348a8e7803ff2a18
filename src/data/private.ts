// The broker's private contacts, marked and unmarked on the device first. Only this device stores their names.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { idOfAddition } from '#domain/lead/adding.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { type Entry, isOfPrivacy, type LeadRef, needsDecision } from '#domain/outbox/command.ts'
import { addEntry, removeEntry } from '#domain/outbox/queue.ts'
import { cachedOffline } from './cached-offline.ts'
import { keys } from './keys.ts'
import { LEAD_MARKS } from './lead-marks.ts'
import { leadRef, record } from './operation.ts'
import { usePending } from './pending.ts'

/** A contact in the list of private ones. */
export type PrivateContact = {
  key: string
  /** The name, which only the device that marked the contact knows; null elsewhere. */
  name: string | null
  number: string | null
  lastDigits: string | null
  sinceMs: number
  /** True while the server does not have the mark. */
  isWaiting: boolean
  lead: LeadRef
  given: { privateId: number | null; markedBy: string | null }
}

/**
 * Marks a lead as private, which removes it from the board. `keepsName` is true on its broker's device, which stores
 * the name. Resolves with the undo: it removes an unsent mark, otherwise queues the inverse.
 */
export async function markPrivate(
  lead: Lead,
  { keepsName }: { keepsName: boolean },
): Promise<() => Promise<void>> {
  return mark(leadRef(lead), null, keepsName)
}

/** Marks a phone number from which no message has come yet. `number` is as `readTyped` returns it. */
export async function markNumber({
  number,
  name,
  instanceName,
}: {
  number: string
  name: string
  instanceName: string
}) {
  return mark({ id: 0, number, name: name.trim() || null, instanceName }, number)
}

async function mark(who: LeadRef, number: string | null, keepsName = true): Promise<() => Promise<void>> {
  const entry = await record((entries, stamp) => {
    const lead = number === null ? who : { ...who, id: idOfAddition(stamp.id) }
    return addEntry(entries, { kind: 'lead.private', lead, given: { number } }, stamp)
  })
  if (!entry) throw new Error('a mark left no entry')
  const { lead } = entry.command
  if (keepsName) remember({ markedBy: entry.id, contactId: lead.id, name: lead.name, number: lead.number })
  return () => takeBack({ lead, given: { privateId: null, markedBy: entry.id } })
}

export async function takeBack({ lead, given }: Pick<PrivateContact, 'lead' | 'given'>): Promise<void> {
  await record((entries, stamp) => {
    const unsent = entries.find(({ id, attempts }) => id === given.markedBy && attempts === 0)
    return unsent
      ? removeEntry(entries, unsent.seq)
      : addEntry(entries, { kind: 'lead.public', lead, given }, stamp)
  })
}

const Rows = v.array(
  v.object({
    id: v.number(),
    last_digits: v.nullable(v.string()),
    since: v.string(),
    contact_id: v.nullable(v.number()),
    operation_id: v.nullable(v.string()),
  }),
)
type Row = v.InferOutput<typeof Rows>[number]

function listQuery() {
  return queryOptions({
    queryKey: keys.privateContacts(),
    queryFn: cachedOffline({ kind: 'private-contacts', most: 1, version: 1 }, async ({ signal }) =>
      v.parse(Rows, await rpc('list_private_contacts', {}, signal)),
    ),
  })
}

/** Returns the broker's private contacts, newest first, with pending changes applied. */
export function usePrivateContacts(instanceName: string) {
  const list = useQuery(listQuery())
  const { entries } = usePending()
  const contacts = useMemo(
    () => list.data && layOver(list.data, entries, instanceName),
    [list.data, entries, instanceName],
  )
  // The board's next fetch removes applied entries, so this list must have them before that.
  const { refetch } = list
  const done = entries
    .filter(({ state, command }) => state === 'applied' && isOfPrivacy(command.kind))
    .map(({ id }) => id)
    .join()
  useEffect(() => {
    if (done !== '') void refetch({ cancelRefetch: false })
  }, [done, refetch])
  return { list, contacts }
}

/** Applies pending changes to the list, with names from this device. Otherwise pure. */
function layOver(rows: readonly Row[], entries: readonly Entry[], instanceName: string): PrivateContact[] {
  const names = rememberedNames()
  const contacts = rows.map((row) => fromRow(row, names, instanceName))
  for (const { id, command, createdAtMs, state, ...entry } of entries) {
    if (needsDecision({ state })) continue
    if (command.kind === 'lead.private' && !contacts.some(({ given }) => given.markedBy === id))
      contacts.unshift({
        key: id,
        name: command.lead.name,
        number: command.lead.number,
        lastDigits: null,
        sinceMs: createdAtMs,
        isWaiting: state === 'queued' && entry.failure !== null,
        lead: command.lead,
        given: { privateId: null, markedBy: id },
      })
    else if (command.kind === 'lead.public') {
      const at = contacts.findIndex(
        ({ given }) =>
          (given.privateId !== null && given.privateId === command.given.privateId) ||
          (given.markedBy !== null && given.markedBy === command.given.markedBy),
      )
      if (at !== -1) contacts.splice(at, 1)
    }
  }
  return contacts
}

function fromRow(row: Row, names: readonly Name[], instanceName: string): PrivateContact {
  const known = names.find(
    ({ markedBy, contactId }) =>
      (row.operation_id !== null && markedBy === row.operation_id) ||
      (row.contact_id !== null && contactId === row.contact_id),
  )
  const { name = null, number = null } = known ?? {}
  return {
    key: String(row.id),
    name,
    number,
    lastDigits: row.last_digits,
    sinceMs: Date.parse(row.since),
    isWaiting: false,
    lead: { id: row.contact_id ?? -row.id, name, number, instanceName },
    given: { privateId: row.id, markedBy: row.operation_id },
  }
}

/** Reads why a lead cannot be marked, in Portuguese; null if it can. */
export function staysQuery(leadId: number) {
  return queryOptions({
    queryKey: keys.leadStays(leadId),
    queryFn: async ({ signal }) =>
      v.parse(v.nullable(v.string()), await rpc('lead_stays', { p_contact_id: leadId }, signal)),
    retry: false,
  })
}

/** Asks administrators to review a lead that the broker cannot mark. Throws PortalError. */
export async function askAdministrator(leadId: number): Promise<void> {
  await rpc('ask_private', { p_contact_id: leadId })
}

const Names = v.array(
  v.object({
    markedBy: v.string(),
    contactId: v.number(),
    name: v.nullable(v.string()),
    number: v.nullable(v.string()),
  }),
)
type Name = v.InferOutput<typeof Names>[number]
const MAX_NAMES = 500

function rememberedNames(): Name[] {
  try {
    return v.parse(Names, JSON.parse(localStorage.getItem(LEAD_MARKS.privateNames) ?? '[]'))
  } catch {
    return []
  }
}

/** Stores a name on the device. If that fails, the list shows the number's last digits instead. */
function remember(name: Name) {
  const names = [name, ...rememberedNames()].slice(0, MAX_NAMES)
  try {
    localStorage.setItem(LEAD_MARKS.privateNames, JSON.stringify(names))
  } catch {
    // The mark itself is stored in the outbox.
  }
}
