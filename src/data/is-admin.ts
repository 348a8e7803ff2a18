// Whether the signed-in user is an administrator. A gerente sees the same screens, with the own team only.
import { useSession } from './session.ts'

export function useIsAdmin(): boolean {
  const session = useSession()
  return session.status === 'in' && session.user.role === 'admin'
}
