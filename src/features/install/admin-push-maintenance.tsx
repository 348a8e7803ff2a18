// Keeps an administrator's device told; what is told there stands on the screen by itself.
import { usePushMaintenance } from './use-push-maintenance.ts'

type AdminPushUpdatesProps = { onOpen: (path: string) => void }

export function AdminPushUpdates({ onOpen }: AdminPushUpdatesProps) {
  usePushMaintenance(onOpen)
  return null
}
