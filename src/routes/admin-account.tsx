// '/conta': the administrator's own account, and the other administrators. PRODUCT.md 3.
import { AccountPage } from '#features/admin-account/account-page.tsx'

export function AdminAccountPage() {
  return <AccountPage />
}
