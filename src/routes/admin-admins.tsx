// '/administradores': who administers the portal.
import { AdminsPage } from '#features/admin-account/admins-page.tsx'

export function AdminAdminsPage() {
  return <AdminsPage />
}
