// '/conta': the administrator's own account, and the other administrators.
import { PasswordDialog } from '#features/account/password/dialog.tsx'
import { AccountPage } from '#features/admin-account/account-page.tsx'
import { GatewaySettings } from '#features/first-hour/gateway-settings.tsx'

export function AdminAccountPage() {
  return <AccountPage passwordDialog={PasswordDialog} gatewaySettings={GatewaySettings} />
}
