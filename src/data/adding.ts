// Adds leads that a person types: stores them in the outbox, and follows them until the server has answered.
import { queryOptions } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { idOfAddition, tidyName } from '#domain/lead/adding.ts'
import type { Entry } from '#domain/outbox/command.ts'
import { needsDecision } from '#domain/outbox/command.ts'
import { addEntry } from '#domain/outbox/queue.ts'
import { readTyped } from '#domain/phone/typed.ts'
import { readDraft, writeDraft } from '#offline/drafts.ts'
import { watchOutbox } from '#offline/outbox.ts'
import { cachedOffline } from './cached-offline.ts'
import { keys } from './keys.ts'
import { record } from './operation.ts'
import { idByNow } from './pending.ts'

export type NewLead = {
  name: string
  /** The number as typed; the form has validated it. */
  number: string
  development: string
  source: string
  note: string
  /** The instance name of the broker who gets the lead; null if no broker gets it. */
  instanceName: string | null
}

/** Resolves once the device has stored the lead. Throws PortalError `session.lost` if nobody is signed in. */
export async function addLead(typed: NewLead): Promise<Entry> {
  const { name, number: _, development, instanceName, ...more } = typed
  const [number = null, ...furtherNumbers] = (await readTyped(typed.number)).numbers
  const entry = await record((entries, stamp) =>
    addEntry(
      entries,
      {
        kind: 'lead.add',
        lead: {
          id: idOfAddition(stamp.id),
          name: tidyName(name),
          number,
          instanceName,
        },
        ...more,
        ...(furtherNumbers.length > 0 && { furtherNumbers }),
        development: development.trim() || null,
      },
      stamp,
    ),
  )
  if (!entry) throw new Error('an addition left no entry')
  return entry
}

export type Outcome =
  | { kind: 'added'; leadId: number }
  | { kind: 'refused'; reason: string | null }
  /** No answer came yet, so the lead waits in the outbox. */
  | { kind: 'waiting' }

/** Returns the server's answer to an addition, or 'waiting' after `mostMs`. */
export function outcomeOf(id: string, mostMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    let stop: (() => void) | undefined
    const end = (outcome: Outcome) => {
      clearTimeout(timer)
      stop?.()
      resolve(outcome)
    }
    const timer = setTimeout(() => end({ kind: 'waiting' }), mostMs)
    stop = watchOutbox(({ entries }) => {
      const entry = entries.find((candidate) => candidate.id === id)
      if (!entry || entry.failure !== null) end({ kind: 'waiting' })
      else if (entry.leadId !== undefined) end({ kind: 'added', leadId: entry.leadId })
      else if (needsDecision(entry)) end({ kind: 'refused', reason: entry.problem?.reason ?? null })
    })
  })
}

/** Calls `onNamed` once a lead with a local id has got its server id and is on the board under it. */
export function useNamedLead(
  contactId: number | undefined,
  leads: ReadonlyMap<number, unknown> | undefined,
  onNamed: ((leadId: number) => void) | undefined,
) {
  const named = idByNow(contactId ?? 0)
  const isThere = named !== contactId && leads?.has(named) === true
  const notify = useEffectEvent(async (from: number, leadId: number) => {
    await moveDraft(`conversation:${from}`, `conversation:${leadId}`)
    onNamed?.(leadId)
  })
  useEffect(() => {
    if (isThere && contactId !== undefined) void notify(contactId, named)
  }, [isThere, named, contactId])
}

async function moveDraft(from: string, to: string) {
  const text = await readDraft(from)
  if (text === '') return
  await writeDraft(to, text)
  await writeDraft(from, '')
}

const DevelopmentRows = v.array(v.object({ empreendimento: v.string() }))

/** Developments that leads have asked for, as suggestions; any other name may be typed. */
export function developmentNamesQuery() {
  return queryOptions({
    queryKey: keys.developmentNames(),
    queryFn: cachedOffline({ kind: 'development-names', most: 1, version: 1 }, async ({ signal }) =>
      v
        .parse(DevelopmentRows, await rpc('get_available_empreendimentos', {}, signal))
        .map(({ empreendimento }) => empreendimento),
    ),
  })
}
