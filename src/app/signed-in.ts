// The work that begins at sign-in. It reads the broker's board while the screens load, then starts the outbox and live
// events.
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

/** Live events start this much later for administrators, so that the screen's own reads go first. */
const SCREEN_FIRST_MS = 1_000

const readFirst = ({ instanceName }: BrokerUser) => [
  queryClient.prefetchQuery(boardQuery(instanceName)),
  queryClient.prefetchQuery(linkQuery(instanceName)),
]

// If the user is known already, reading begins at once, so that the first render may have its board.
const session = sessionNow()
if (session.status === 'in' && session.user.role === 'broker') void Promise.all(readFirst(session.user))

/** Begins the work; returns the function that stops it. */
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
 * Deletes previous users' data except outbox and drafts. It runs after the first screen's reads, which its writes would
 * slow.
 */
async function wipeAfter(reads: Promise<unknown>[], id: string) {
  await Promise.allSettled(reads)
  if (currentOwner() !== id) return
  await wipeCachesOfOthers(id).catch((cause: unknown) => log.warn('device.wipe-failed', cause))
}

/** Loads live events, a chunk of their own, once these reads are painted or have failed. */
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
