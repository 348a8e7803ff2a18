// The tabs of Relatórios; results have an address of their own.
import { Tabs } from '#ui/primitives/tabs.tsx'

export const SECTION_NAME = {
  overview: 'Visão geral',
  now: 'Agora',
  results: 'Resultado',
  roleta: 'Roleta',
} as const
export type Section = keyof typeof SECTION_NAME

const TABS = [
  { value: 'overview', label: SECTION_NAME.overview },
  { value: 'now', label: SECTION_NAME.now },
  { value: 'results', label: SECTION_NAME.results },
  { value: 'roleta', label: SECTION_NAME.roleta },
] as const

/** The id of the panel that the tabs control. */
export const PANEL = 'dashboard-section'

type SectionTabsProps = {
  /** Null if none of these sections is shown. */
  value: Section | null
  onChoose: (section: Section) => void
}

export function SectionTabs({ value, onChoose }: SectionTabsProps) {
  return (
    <Tabs
      label="Seções do painel"
      items={TABS}
      panelId={PANEL}
      value={value}
      onChoose={(chosen) => onChoose(TABS.find((tab) => tab.value === chosen)?.value ?? 'overview')}
    />
  )
}
