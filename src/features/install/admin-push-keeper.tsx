// Keeps an administrator's device told; what is told there stands on the screen by itself.
import { useKeptPushes } from './use-kept-pushes.ts'

type AdminPushUpdatesProps = { userId: string; onOpen: (path: string) => void }

export function AdminPushUpdates({ userId, onOpen }: AdminPushUpdatesProps) {
  useKeptPushes(userId, onOpen)
  return null
}
