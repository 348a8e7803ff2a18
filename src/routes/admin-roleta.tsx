// /roleta: the rotations of leads; its address says which view is shown.
import { getRouteApi } from '@tanstack/react-router'
import { HistoryDialog } from '#features/conversation/history-dialog.tsx'
import { CrmLink } from '#features/crm/crm-link.tsx'
import type { OpenLeadsProps } from '#features/rotations/open-leads.tsx'
import { RotationsPage, viewOf } from '#features/rotations/rotations-page.tsx'

const route = getRouteApi('/admin/roleta')

export function AdminRotationsPage() {
  const { vista } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <RotationsPage
      view={viewOf(vista)}
      course={HistoryDialog}
      wayOn={wayOn}
      others={<CrmLink owner={null} />}
      onView={(view) =>
        void navigate({ search: { vista: view === 'roletas' ? undefined : view }, replace: true })
      }
    />
  )
}

const wayOn: OpenLeadsProps['wayOn'] = ({ contactId, owner }) => <CrmLink leadId={contactId} owner={owner} />
