// Reads, adds, changes and cancels scheduled messages, on the device first. The texts are fetched for a whole board and
// stored for offline use.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { type Later, type LaterDeed, laterRefOf, UNKNOWN_TEXT } from '#domain/next-action/later.ts'
import { seenOf } from '#domain/next-action/next-action.ts'
import { addEntry, removeEntry } from '#domain/outbox/queue.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'
import { leadRef, perform, record } from '#data/operation.ts'

/** A `dueAtMs` of null sends the text now. */
export type WantedText = Pick<Later, 'dueAtMs' | 'unlessAnswered'> & { text: string }

/** Schedules a text, in place of `before` if given. Resolves with the function that undoes a new one. */
export async function scheduleText(
  lead: Lead,
  { text, dueAtMs, unlessAnswered }: WantedText,
  before: Later | null = null,
): Promise<() => Promise<void>> {
  const done = await perform({
    kind: 'message.schedule',
    lead: leadRef(lead),
    given: {
      ...(before ? laterRefOf(before) : UNKNOWN_TEXT),
      text,
      dueAt: dueAtMs === null ? null : new Date(dueAtMs).toISOString(),
      unlessAnswered,
      seenAt: seenOf(lead),
    },
  })
  const undo: LaterDeed = {
    kind: 'message.unschedule',
    given: { scheduledId: null, scheduledOperation: done?.id ?? null },
  }
  return async () => {
    await record((entries, stamp) => {
      const unsent = entries.find(({ id, attempts }) => id === done?.id && attempts === 0)
      return unsent
        ? removeEntry(entries, unsent.seq)
        : addEntry(entries, { ...undo, lead: leadRef(lead) }, stamp)
    })
  }
}

export async function unscheduleText(lead: Lead, text: Later): Promise<void> {
  await perform({ kind: 'message.unschedule', lead: leadRef(lead), given: laterRefOf(text) })
}

const Rows = v.array(
  v.object({
    id: v.number(),
    contact_id: v.number(),
    text: v.string(),
    due: v.number(),
    changed: v.number(),
    /** True if the message is a step of a plan. Missing if the server is older than the app. */
    planned: v.optional(v.boolean(), false),
  }),
)

function wordsQuery(instanceName: string) {
  return queryOptions({
    queryKey: keys.scheduled(instanceName),
    queryFn: cachedOffline({ kind: 'scheduled', most: 3, version: 2 }, async ({ signal }) =>
      v.parse(Rows, await rpc('get_scheduled_messages', { p_broker_name: instanceName }, signal)),
    ),
  })
}

/** A scheduled message with its text, if known, and with the time of its last change. */
export type Worded = Later & { changedAtMs: number | null; isPlanned: boolean }

export function useScheduled({ instanceName, later = NONE }: Lead): readonly Worded[] {
  const wordless = later.filter(({ text }) => text === null)
  const { data, refetch } = useQuery({ ...wordsQuery(instanceName), enabled: wordless.length > 0 })
  // The board tells which scheduled messages changed. A change triggers a new fetch of their texts.
  const asked = wordless.map(({ id, dueAtMs, why }) => `${id} ${dueAtMs} ${why}`).join()
  useEffect(() => {
    if (asked !== '') void refetch({ cancelRefetch: false })
  }, [asked, refetch])
  return later.map((text) => {
    const row = data?.find(({ id }) => id === text.id)
    return {
      ...text,
      text: text.text ?? row?.text ?? null,
      changedAtMs: row ? row.changed * 1000 : null,
      isPlanned: row?.planned ?? false,
    }
  })
}

const NONE: readonly Later[] = []
