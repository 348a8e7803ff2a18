// What a broker sees first is read while her screens are still being put up.
import { linkQuery } from '#data/instances.ts'
import { boardQuery } from '#data/leads.ts'
import { queryClient } from '#data/query-client.ts'
import { sessionNow, startSession } from '#data/session.ts'

/** Finds out who is signed in, and begins with her board. */
export async function startWithBoard(): Promise<void> {
  await startSession()
  const session = sessionNow()
  if (session.status !== 'in' || session.user.role !== 'broker') return
  const { instanceName } = session.user
  void queryClient.prefetchQuery(boardQuery(instanceName))
  void queryClient.prefetchQuery(linkQuery(instanceName))
}
