// What begins once a person is signed in: live events, the outbox, and the broker's board, read while the screens are put up.
import { linkQuery } from '#data/instances.ts'
import { boardQuery } from '#data/leads.ts'
import { queryClient } from '#data/query-client.ts'
import type { SessionUser } from '#domain/session.ts'
import { followEvents } from '#live/events.ts'
import { keepSending } from '#offline/triggers.ts'

/** Answers the stop. */
export function beginWork(user: SessionUser): () => void {
  if (user.role === 'broker') {
    void queryClient.prefetchQuery(boardQuery(user.instanceName))
    void queryClient.prefetchQuery(linkQuery(user.instanceName))
  }
  const stops = [followEvents(queryClient), keepSending()]
  return () => stops.forEach((stop) => stop())
}
