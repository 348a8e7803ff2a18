// /reports: the lead dashboard; its address says what it shows.
import { getRouteApi, useCanGoBack, useRouter } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { NO_BROKER } from '#domain/broker.ts'
import type { LeadRow } from '#domain/dashboard.ts'
import { writeSelection } from '#features/crm/selection.ts'
import { ExportLeads } from '#features/exports/export-leads.tsx'
import { DashboardScreen } from '#features/dashboard/dashboard.tsx'
import type { PassedLead } from '#features/dashboard/now-section.tsx'
import { lazily } from '#ui/lazily.ts'

const route = getRouteApi('/admin/reports')

type Search = Record<string, unknown>

const handOver = lazily(async () => (await import('#features/crm/hand-over-dialog.tsx')).HandOverDialog)
const NOBODY: readonly PassedLead[] = []

export function AdminReportsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const goBack = useStepBack(search)
  const go = (next: Search, isReplacing: boolean) =>
    void navigate({ search: next, replace: isReplacing, resetScroll: false })
  const open = ({ id, instanceName }: Pick<LeadRow, 'id' | 'instanceName'>) =>
    void navigate({
      to: '/crm',
      search: { corretores: writeSelection([instanceName ?? NO_BROKER]), lead: id },
    })
  const [passed, setPassed] = useState<PassedLead>()
  const [hasPassed, setHasPassed] = useState(false)
  if (passed && !hasPassed) setHasPassed(true)
  const end = () => setPassed(undefined)
  return (
    <>
      <DashboardScreen
        search={search}
        onSearch={go}
        onBack={goBack}
        onLead={open}
        onPass={(lead) => handOver.open(() => setPassed(lead))}
        more={ExportLeads}
      />
      <Suspense>
        {hasPassed && (
          <handOver.Component
            isOpen={passed !== undefined}
            leads={passed ? [passed] : NOBODY}
            onClose={end}
            onDone={end}
          />
        )}
      </Suspense>
    </>
  )
}

/** One step back; where this address was the way in, it changes alone. */
function useStepBack(search: Search): (before: Search) => void {
  const navigate = route.useNavigate()
  const router = useRouter()
  const canGoBack = useCanGoBack()
  /** The step back takes a moment, and a second press must not take a second one. */
  const [leaving, setLeaving] = useState<Search | null>(null)
  if (leaving && leaving !== search) setLeaving(null)
  return (before) => {
    if (leaving === search) return
    setLeaving(search)
    if (canGoBack) router.history.back()
    else void navigate({ search: before, replace: true })
  }
}
