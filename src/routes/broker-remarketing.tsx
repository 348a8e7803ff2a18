// '/broker/remarketing': the broker's campaigns.
import { useSession } from '#data/session.ts'
import { Remarketing } from '#features/remarketing/remarketing.tsx'
import '#styles/late.css'

export function BrokerRemarketingPage() {
  const session = useSession()
  if (session.status !== 'in' || session.user.role !== 'broker') return null
  return <Remarketing instanceName={session.user.instanceName} />
}
