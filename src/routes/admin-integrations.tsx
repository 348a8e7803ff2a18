// '/integracoes': webhooks to other systems, and the API keys that they use.
import { IntegrationsPage } from '#features/integrations/integrations-page.tsx'

export function AdminIntegrationsPage() {
  return <IntegrationsPage />
}
