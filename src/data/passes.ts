// Leads on their way between colleagues of a team: passed by this broker, and waiting for this broker's answer.
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

/** Below the offers' key, because the same event announces both. */
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

/** Whether there is somebody to pass a lead to, as far as this device knows. Triggers no fetch. */
export function useHasColleagues(): boolean {
  return useQuery({ ...passesQuery(), select: hasColleagues, enabled: false }).data === true
}

/** A lead that waits for this broker's answer: first name and development only. */
export type Incoming = {
  contactId: number
  firstName: string | null
  development: string | null
  from: string
}
/** A lead that this broker passes. */
export type Outgoing = { contactId: number; to: string; isDeclined: boolean }
export type Passing = {
  /** Instance names. */
  colleagues: readonly string[]
  incoming: readonly Incoming[]
  outgoing: readonly Outgoing[]
}

/** Read with the offers of rotations, so that brokers without a team ask nothing more. */
const hasTeam = () => queryClient.getQueryData<{ hasTeam: boolean }>(keys.offers())?.hasTeam === true
const watchTeam = (changed: () => void) => queryClient.getQueryCache().subscribe(changed)

/** With the waiting changes of this device applied; undefined without a team, and until it is read. */
export function usePassing(): Passing | undefined {
  const isInTeam = useSyncExternalStore(watchTeam, hasTeam)
  const isOnline = useIsOnline()
  // Without a network the copy on the device is shown.
  const { data, dataUpdatedAt, refetch } = useQuery({
    ...passesQuery(),
    enabled: isInTeam || !isOnline,
  })
  const { entries } = usePending()
  // The app reads the server's state again, even if no live event comes.
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

/** Null: the lead stays with this broker after all. */
export async function passLead(lead: Lead, toBroker: string | null): Promise<void> {
  await perform({ kind: 'lead.pass', lead: leadRef(lead), given: { toBroker } })
}

export async function answerPass({ contactId, firstName, from }: Incoming, accepts: boolean): Promise<void> {
  const lead = { id: contactId, number: null, name: firstName, instanceName: from }
  await perform({ kind: 'lead.take', lead, given: { accepts } })
  // The card is gone for good; a refusal reads it again.
  queryClient.setQueryData<v.InferOutput<typeof Passes>>(
    KEY,
    (passes) =>
      passes && { ...passes, incoming: passes.incoming.filter((each) => each.contact_id !== contactId) },
  )
}

const asked = new EventTarget()

/** Opens the sheet that passes a lead, from its conversation. */
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
