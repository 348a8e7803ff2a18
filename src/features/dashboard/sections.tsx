// The tabs of Relatórios. The results and the origins have addresses of their own.
import { Tabs } from '#ui/primitives/tabs.tsx'

export const SECTION_NAME = {
  overview: 'Visão geral',
  now: 'Agora',
  results: 'Resultado',
  origins: 'Origens',
  roleta: 'Roleta',
} as const
export type Section = keyof typeof SECTION_NAME

const TABS = [
  { value: 'overview', label: SECTION_NAME.overview },
  { value: 'now', label: SECTION_NAME.now },
  { value: 'results', label: SECTION_NAME.results },
  { value: 'origins', label: SECTION_NAME.origins },
  { value: 'roleta', label: SECTION_NAME.roleta },
] as const

/** Sections with addresses of their own. */
export type Report = 'results' | 'origins'
export const isReport = (section: Section): section is Report =>
  section === 'results' || section === 'origins'

/** The tabs that a gerente sees. */
const TEAM_TABS = TABS.filter(({ value }) => isReport(value))

/** The id of the panel that the tabs control. */
export const PANEL = 'dashboard-section'

type SectionTabsProps = {
  /** Null if none of these sections is shown. */
  value: Section | null
  /** True: only the tabs that a gerente may see. */
  isOfTeam?: boolean
  onChoose: (section: Section) => void
}

export function SectionTabs({ value, isOfTeam = false, onChoose }: SectionTabsProps) {
  return (
    <Tabs
      label="Seções do painel"
      items={isOfTeam ? TEAM_TABS : TABS}
      panelId={PANEL}
      value={value}
      onChoose={(chosen) => onChoose(TABS.find((tab) => tab.value === chosen)?.value ?? 'overview')}
    />
  )
}
