// Keeps an administrator's device told; what is told there stands on the screen by itself.
import { useKeptPushes } from './use-kept-pushes.ts'

type AdminPushKeeperProps = { userId: string; onOpen: (path: string) => void }

export function AdminPushKeeper({ userId, onOpen }: AdminPushKeeperProps) {
  useKeptPushes(userId, onOpen)
  return null
}
