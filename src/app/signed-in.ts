// Work that starts at sign-in: the broker's board is read while its screens load; then the outbox and live events.
import { log } from '#api/log.ts'
import { afterFirst } from '#data/first-in-line.ts'
import { linkQuery } from '#data/link.ts'
import { boardQuery } from '#data/board/leads.ts'
import { queryClient } from '#data/query-client.ts'
import { sessionNow } from '#data/session.ts'
import type { BrokerUser, SessionUser } from '#domain/session.ts'
import { currentOwner } from '#offline/owner.ts'
import { keepSending } from '#offline/when-to-send.ts'
import { wipeCachesOfOthers } from '#offline/wipe.ts'
import { untilHere } from '#ui/arrival.ts'
import '#ui/trusted-types.ts'
import { afterScreen } from '#ui/busy.ts'

/** Delay of live events for an administrator, so that the screen's own reads go first. */
const SCREEN_FIRST_MS = 1_000

const readFirst = ({ instanceName }: BrokerUser) => [
  queryClient.prefetchQuery(boardQuery(instanceName)),
  queryClient.prefetchQuery(linkQuery(instanceName)),
]

// The user may be known before this module is loaded; reading at once gives the first render its board.
const session = sessionNow()
if (session.status === 'in' && session.user.role === 'broker') void Promise.all(readFirst(session.user))

/** Returns the stop function. */
export function beginWork(user: SessionUser): () => void {
  const first =
    user.role === 'broker'
      ? readFirst(user)
      : [new Promise((resolve) => setTimeout(resolve, SCREEN_FIRST_MS))]
  void wipeAfter(first, user.id)
  const stops = [keepSending(), followAfter(first)]
  return () => stops.forEach((stop) => stop())
}

/**
 * Deletes data of previous users; their outbox and drafts stay. It waits for the first screen's reads, which writes
 * would slow.
 */
async function wipeAfter(reads: Promise<unknown>[], id: string) {
  await Promise.allSettled(reads)
  if (currentOwner() !== id) return
  await wipeCachesOfOthers(id).catch((cause: unknown) => log.warn('device.wipe-failed', cause))
}

/** Loads live events as a separate chunk, after these reads are painted, whether they succeeded or not. */
function followAfter(reads: Promise<unknown>[]): () => void {
  let stop: (() => void) | null = null
  let isOver = false
  void Promise.allSettled(reads).then(async () => {
    await afterScreen()
    await afterFirst()
    if (isOver) return
    const follow = await untilHere(async () => (await import('#live/events.ts')).followEvents)
    if (!isOver) stop = follow(queryClient)
  })
  return () => {
    isOver = true
    stop?.()
  }
}
