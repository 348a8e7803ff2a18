// '/integracoes': other systems that are notified, and the keys with which they ask.
import { IntegrationsPage } from '#features/integrations/integrations-page.tsx'

export function AdminIntegrationsPage() {
  return <IntegrationsPage />
}
