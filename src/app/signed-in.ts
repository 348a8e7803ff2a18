// What begins once a person is signed in: the broker's board, read while the screens are put up; the outbox; live events.
import { log } from '#api/log.ts'
import { linkQuery } from '#data/link.ts'
import { boardQuery } from '#data/board/leads.ts'
import { queryClient } from '#data/query-client.ts'
import { sessionNow } from '#data/session.ts'
import type { BrokerUser, SessionUser } from '#domain/session.ts'
import { currentOwner } from '#offline/owner.ts'
import { keepSending } from '#offline/when-to-send.ts'
import { wipeCachesOfOthers } from '#offline/wipe.ts'
import { untilHere } from '#ui/arrival.ts'
import { afterScreen } from '#ui/busy.ts'

/** What an administrator's screen itself reads goes first: it needs no events to be right. */
const SCREEN_FIRST_MS = 1_000

const readFirst = ({ instanceName }: BrokerUser) => [
  queryClient.prefetchQuery(boardQuery(instanceName)),
  queryClient.prefetchQuery(linkQuery(instanceName)),
]

// Who is here may be known before this part is: the first drawing then has the board already.
const session = sessionNow()
if (session.status === 'in' && session.user.role === 'broker') void Promise.all(readFirst(session.user))

/** Answers the stop. */
export function beginWork(user: SessionUser): () => void {
  const first =
    user.role === 'broker'
      ? readFirst(user)
      : [new Promise((resolve) => setTimeout(resolve, SCREEN_FIRST_MS))]
  void wipeAfter(first, user.id)
  const stops = [keepSending(), followAfter(first)]
  return () => stops.forEach((stop) => stop())
}

/** What the ones before could see goes; what they did and typed stays theirs. The first screen is read before: writing would hold it up. */
async function wipeAfter(reads: Promise<unknown>[], id: string) {
  await Promise.allSettled(reads)
  if (currentOwner() !== id) return
  await wipeCachesOfOthers(id).catch((cause: unknown) => log.warn('device.wipe-failed', cause))
}

/** Live events come in a part of their own, once what these reads brought is painted, however they end. */
function followAfter(reads: Promise<unknown>[]): () => void {
  let stop: (() => void) | null = null
  let isOver = false
  void Promise.allSettled(reads).then(async () => {
    await afterScreen()
    if (isOver) return
    const follow = await untilHere(async () => (await import('#live/events.ts')).followEvents)
    if (!isOver) stop = follow(queryClient)
  })
  return () => {
    isOver = true
    stop?.()
  }
}
