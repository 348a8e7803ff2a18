// Keeps an administrator's device told; what is told there stands on the screen by itself.
import { useKeptPushes } from './use-kept-pushes.ts'

type AdminPushUpdatesProps = { onOpen: (path: string) => void }

export function AdminPushUpdates({ onOpen }: AdminPushUpdatesProps) {
  useKeptPushes(onOpen)
  return null
}
