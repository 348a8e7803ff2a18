// Leads that colleagues of a team offer each other: those that this broker offers, and those that wait for this
// broker's answer.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { type Entry, needsDecision } from '#domain/outbox/command.ts'
import { cachedOffline } from './cached-offline.ts'
import { useIsOnline } from './connectivity.ts'
import { keys } from './keys.ts'
import { leadRef, perform } from './operation.ts'
import { usePending } from './pending.ts'
import { queryClient } from './query-client.ts'

const Passes = v.object({
  colleagues: v.array(v.string()),
  incoming: v.array(
    v.object({
      contact_id: v.number(),
      first_name: v.nullable(v.string()),
      development: v.nullable(v.string()),
      from: v.string(),
      at: v.number(),
    }),
  ),
  outgoing: v.array(
    v.object({ contact_id: v.number(), to: v.string(), state: v.picklist(['open', 'declined']) }),
  ),
})

/** Begins with the offers' key, because the same live event announces both. */
const KEY = [...keys.offers(), 'passes']

function passesQuery() {
  return queryOptions({
    queryKey: KEY,
    queryFn: cachedOffline({ kind: 'lead-passes', most: 1, version: 1 }, async ({ signal }) =>
      v.parse(Passes, await rpc('get_lead_passes', {}, signal)),
    ),
  })
}

const hasColleagues = ({ colleagues }: v.InferOutput<typeof Passes>) => colleagues.length > 0

/** True if the device knows of a colleague to whom a lead could be offered. Reading it fetches nothing. */
export function useHasColleagues(): boolean {
  return useQuery({ ...passesQuery(), select: hasColleagues, enabled: false }).data === true
}

/** An offered lead that waits for this broker's answer. Until then the broker gets only first name and development. */
export type Incoming = {
  contactId: number
  firstName: string | null
  development: string | null
  from: string
}
/** A lead that this broker offers to a colleague. */
export type Outgoing = { contactId: number; to: string; isDeclined: boolean }
export type Passing = {
  /** Instance names of the colleagues. */
  colleagues: readonly string[]
  incoming: readonly Incoming[]
  outgoing: readonly Outgoing[]
}

/** The offers of rotations tell whether the broker has a team, so that brokers without one send no further request. */
const hasTeam = () => queryClient.getQueryData<{ hasTeam: boolean }>(keys.offers())?.hasTeam === true
const watchTeam = (changed: () => void) => queryClient.getQueryCache().subscribe(changed)

/** The offers with pending changes applied. Undefined without a team, and until they are loaded. */
export function usePassing(): Passing | undefined {
  const isInTeam = useSyncExternalStore(watchTeam, hasTeam)
  const isOnline = useIsOnline()
  // Offline the stored offers are shown, because the device may not know whether there is a team.
  const { data, dataUpdatedAt, refetch } = useQuery({
    ...passesQuery(),
    enabled: isInTeam || !isOnline,
  })
  const { entries } = usePending()
  // Each applied change triggers a fetch, because no live event may come.
  const done = entries
    .filter(({ state, command }) => state === 'applied' && /^lead\.(pass|take)$/.test(command.kind))
    .map(({ id }) => id)
    .join()
  useEffect(() => {
    if (done !== '') void refetch({ cancelRefetch: false })
  }, [done, refetch])
  return useMemo(() => data && layOver(data, entries, dataUpdatedAt), [data, entries, dataUpdatedAt])
}

function layOver(read: v.InferOutput<typeof Passes>, entries: readonly Entry[], readAtMs: number): Passing {
  const answered = new Set<number>()
  const outgoing = new Map(
    read.outgoing.map(({ contact_id: contactId, to, state }) => [
      contactId,
      { contactId, to, isDeclined: state === 'declined' },
    ]),
  )
  for (const entry of entries) {
    const { command } = entry
    if (needsDecision(entry) || (entry.appliedAtMs !== null && entry.appliedAtMs < readAtMs)) continue
    if (command.kind === 'lead.take') answered.add(command.lead.id)
    if (command.kind !== 'lead.pass') continue
    const { id: contactId } = command.lead
    const to = command.given.toBroker
    if (to === null) outgoing.delete(contactId)
    else outgoing.set(contactId, { contactId, to, isDeclined: false })
  }
  return {
    colleagues: read.colleagues,
    incoming: read.incoming
      .filter(({ contact_id: id }) => !answered.has(id))
      .map(({ contact_id: contactId, first_name: firstName, development, from }) => ({
        contactId,
        firstName,
        development,
        from,
      })),
    outgoing: [...outgoing.values()],
  }
}

/** Offers the lead to a colleague; null withdraws the offer. */
export async function passLead(lead: Lead, toBroker: string | null): Promise<void> {
  await perform({ kind: 'lead.pass', lead: leadRef(lead), given: { toBroker } })
}

export async function answerPass({ contactId, firstName, from }: Incoming, accepts: boolean): Promise<void> {
  const lead = { id: contactId, number: null, name: firstName, instanceName: from }
  await perform({ kind: 'lead.take', lead, given: { accepts } })
  // Removes the card at once. If the server refuses the answer, a fetch brings it back.
  queryClient.setQueryData<v.InferOutput<typeof Passes>>(
    KEY,
    (passes) =>
      passes && { ...passes, incoming: passes.incoming.filter((each) => each.contact_id !== contactId) },
  )
}

const asked = new EventTarget()

/** Opens the sheet that offers a lead to colleagues, from the lead's conversation. */
export function askToPass(lead: Lead) {
  asked.dispatchEvent(new CustomEvent<Lead>('pass', { detail: lead }))
}

export function useAskedToPass(act: (lead: Lead) => void) {
  const hear = useEffectEvent((event: Event) => {
    if (event instanceof CustomEvent) act(event.detail)
  })
  useEffect(() => {
    const listener = (event: Event) => hear(event)
    asked.addEventListener('pass', listener)
    return () => asked.removeEventListener('pass', listener)
  }, [])
}
