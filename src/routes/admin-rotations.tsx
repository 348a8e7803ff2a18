// '/roleta': the rotations of leads; its address holds the shown view.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { HistoryDialog } from '#features/conversation/history-dialog.tsx'
import { CrmLink } from '#features/crm/crm-link.tsx'
import { usePassing } from '#features/crm/passing.tsx'
import { TransferBar } from '#features/crm/transfer-bar.tsx'
import type { OpenLeadsProps } from '#features/rotations/inbox/open-leads.tsx'
import { rotationsQuery } from '#features/rotations/data.ts'
import { ImportButton, ImportList } from '#features/imports/imports.tsx'
import { LinkCard } from '#features/links/link-card.tsx'
import { TemplatesButton } from '#features/plans/templates.tsx'
import { RotationsPage, viewOf } from '#features/rotations/rotations-page.tsx'
import { Sources } from '#features/sources/sources.tsx'

const route = getRouteApi('/admin/roleta')

export function AdminRotationsPage() {
  const { vista } = route.useSearch()
  const navigate = route.useNavigate()
  const { pass, sheet } = usePassing()
  return (
    <>
      <RotationsPage
        view={viewOf(vista)}
        history={HistoryDialog}
        wayOn={wayOn}
        others={<CrmLink owner={null} />}
        onPass={pass}
        bar={TransferBar}
        sources={<RotationSources />}
        link={LinkCard}
        onView={(view) =>
          void navigate({ search: { vista: view === 'roletas' ? undefined : view }, replace: true })
        }
      />
      {sheet}
    </>
  )
}

/** A development's sources send their leads to the development's rotation. */
function RotationSources() {
  const { data: rotations = [] } = useQuery(rotationsQuery())
  return (
    <>
      <Sources
        developments={rotations.map(({ name }) => name)}
        more={
          <>
            <TemplatesButton />
            <ImportButton rotations={rotations} />
          </>
        }
        link={LinkCard}
      />
      <ImportList />
    </>
  )
}

const wayOn: OpenLeadsProps['wayOn'] = ({ contactId, owner }) => <CrmLink leadId={contactId} owner={owner} />
