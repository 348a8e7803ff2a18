// '/reports': the lead dashboard, and '/resultado': the results by broker; the address holds the filters.
import { getRouteApi, useCanGoBack, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useIsAdmin } from '#data/is-admin.ts'
import { NO_BROKER } from '#domain/broker.ts'
import type { LeadRow } from '#domain/dashboard/dashboard.ts'
import { writeSelection } from '#domain/broker-selection.ts'
import { ExportLeads } from '#features/exports/export-leads.tsx'
import { DashboardScreen } from '#features/dashboard/dashboard.tsx'
import { ResultsScreen } from '#features/dashboard/results/screen.tsx'
import { writeState } from '#features/dashboard/filter/filter-state.ts'
import type { Section } from '#features/dashboard/sections.tsx'
import { usePassing } from '#features/crm/passing.tsx'

const route = getRouteApi('/admin/$id')

type Search = Record<string, unknown>

export function AdminReportsPage() {
  const { id: report } = route.useParams()
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
  const { pass, sheet } = usePassing()
  const isAdmin = useIsAdmin()
  const goTo = (section: Section) => {
    if (section === 'results') return
    const state = { section, filter: null, figure: null }
    void navigate({ to: '/$id', params: { id: 'reports' }, search: writeState(state) })
  }
  if (report === 'resultado')
    return (
      <ResultsScreen
        search={search}
        onSearch={go}
        onBack={goBack}
        onSection={isAdmin ? goTo : undefined}
        onLead={open}
      />
    )
  return (
    <>
      <DashboardScreen
        search={search}
        onSearch={go}
        onBack={goBack}
        onResults={() => void navigate({ to: '/$id', params: { id: 'resultado' }, search: {} })}
        onLead={open}
        onPass={pass}
        more={ExportLeads}
      />
      {sheet}
    </>
  )
}

/** Goes one step back. If the page was opened at this very address, there is no step, so it changes the address. */
function useStepBack(search: Search): (before: Search) => void {
  const navigate = route.useNavigate()
  const router = useRouter()
  const canGoBack = useCanGoBack()
  /** Set while a step back is in progress, so that a second press is ignored. */
  const [leaving, setLeaving] = useState<Search | null>(null)
  if (leaving && leaving !== search) setLeaving(null)
  return (before) => {
    if (leaving === search) return
    setLeaving(search)
    if (canGoBack) router.history.back()
    else void navigate({ search: before, replace: true })
  }
}
