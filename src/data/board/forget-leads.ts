// Deletes the data of leads that left every board on this device after a transfer or an erasure (LGPD art. 18):
// conversations, details, drafts and notifications.
import { hashKey, type QueryClient } from '@tanstack/react-query'
import { log } from '#api/log.ts'
import { forgetAnswers } from '#offline/forget-answers.ts'
import { SNAPSHOT_NAMES } from '#offline/snapshot-pages.ts'
import { forgetDrafts, forgetErased } from './erased-leads.ts'
import { keys } from '../keys.ts'

type ShownBoard = { client: QueryClient; instanceName: string }

/** Skips leads that are still on another board, because an administrator sees several. */
export async function forgetLeads(
  { client, instanceName }: ShownBoard,
  removed: readonly number[],
): Promise<void> {
  const left = hashKey(keys.board(instanceName))
  const others = client
    .getQueriesData<{ leads: ReadonlyMap<number, unknown> }>({ queryKey: keys.boards() })
    .filter(([key]) => hashKey(key) !== left)
  const gone = removed.filter((id) => !others.some(([, board]) => board?.leads.has(id)))
  const queryKeys = gone.flatMap((id) => [keys.conversation(id), keys.leadSheet(id), keys.handover(id)])
  for (const queryKey of queryKeys) client.removeQueries({ queryKey })
  try {
    await forgetAnswers([...queryKeys.map(hashKey), ...SNAPSHOT_NAMES])
    await forgetDrafts(new Set(gone))
    for (const id of gone) await closeNotifications(id)
    // Pending entries of erased leads are deleted. Those of transferred leads stay, so that the broker decides.
    await forgetErased()
  } catch (cause) {
    log.warn('board.forget-failed', cause)
  }
}

async function closeNotifications(id: number) {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  const registration = await workers?.getRegistration()
  const shown = (await registration?.getNotifications({ tag: `lead-${id}` })) ?? []
  for (const notification of shown) notification.close()
}
