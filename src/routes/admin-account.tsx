// '/conta': the administrator's account, the agency's brand and its WhatsApp service.
import { PasswordDialog } from '#features/account/password/dialog.tsx'
import { AccountPage } from '#features/admin-account/account-page.tsx'
import { GatewaySettings } from '#features/first-hour/gateway-settings.tsx'

export function AdminAccountPage() {
  return <AccountPage passwordDialog={PasswordDialog} gatewaySettings={GatewaySettings} />
}
