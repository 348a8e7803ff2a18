// Whether the signed-in user is an administrator. Screens of administrators are also a gerente's, with the own team alone.
import { useSession } from './session.ts'

export function useIsAdmin(): boolean {
  const session = useSession()
  return session.status === 'in' && session.user.role === 'admin'
}
