// '/reports': the lead dashboard, '/resultado': the results by broker, '/origens': the costs by origin; the address
// holds the filters.
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
import { isReport, PANEL, type Section, SectionTabs } from '#features/dashboard/sections.tsx'
import { usePassing } from '#features/crm/passing.tsx'
import { OriginsScreen } from '#features/origins/screen.tsx'

const route = getRouteApi('/admin/$id')
const ADDRESS = { results: 'resultado', origins: 'origens' } as const

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
    const search = isReport(section) ? {} : writeState({ section, filter: null, figure: null })
    void navigate({ to: '/$id', params: { id: isReport(section) ? ADDRESS[section] : 'reports' }, search })
  }
  if (report === ADDRESS.results)
    return (
      <ResultsScreen
        search={search}
        onSearch={go}
        onBack={goBack}
        onSection={goTo}
        isOfTeam={!isAdmin}
        onLead={open}
      />
    )
  if (report === ADDRESS.origins)
    return (
      <OriginsScreen
        search={search}
        onSearch={go}
        onBack={goBack}
        onLead={open}
        tabs={<SectionTabs value="origins" isOfTeam={!isAdmin} onChoose={goTo} />}
        panelId={PANEL}
      />
    )
  return (
    <>
      <DashboardScreen
        search={search}
        onSearch={go}
        onBack={goBack}
        onReport={goTo}
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
