// Keeps an administrator's push subscription registered; the pushed content is on the screen anyway.
import { usePushMaintenance } from './use-push-maintenance.ts'

type AdminPushUpdatesProps = { onOpen: (path: string) => void }

export function AdminPushUpdates({ onOpen }: AdminPushUpdatesProps) {
  usePushMaintenance(onOpen)
  return null
}
