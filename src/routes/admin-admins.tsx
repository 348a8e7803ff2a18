// '/administradores': the list of administrators.
import { AdminsPage } from '#features/admin-account/admins-page.tsx'

export function AdminAdminsPage() {
  return <AdminsPage />
}
