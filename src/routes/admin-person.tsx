// '/dados': the data stored about one person, found by a phone number or by the lead in the address (LGPD art. 18).
import { getRouteApi } from '@tanstack/react-router'
import { PersonPage } from '#features/people/person-page.tsx'

const route = getRouteApi('/admin/account-screens/dados')

export function AdminPersonPage() {
  const { lead } = route.useSearch()
  const leadId = Number.isSafeInteger(lead) ? Number(lead) : undefined
  const navigate = route.useNavigate()
  return (
    <PersonPage
      leadId={leadId}
      onLeaveLead={() => void navigate({ search: { lead: undefined }, replace: true })}
    />
  )
}
