// A gerente's first page: 'Agora', about the own team only.
import { usePageTitle } from '#ui/primitives/page-title.ts'
import type { PassedLead } from './now/risk.tsx'
import { NowSection } from './now/section.tsx'

const TITLE = 'Agora'

type TeamNowProps = {
  onLead: (lead: { id: number; instanceName: string | null }) => void
  onPass: (lead: PassedLead) => void
}

export function TeamNow({ onLead, onPass }: TeamNowProps) {
  usePageTitle(TITLE)
  return (
    <div className="flex flex-col gap-3">
      <h1 className="text-24 font-semibold tracking-heading">{TITLE}</h1>
      <NowSection onLead={onLead} onPass={onPass} isTargetFixed />
    </div>
  )
}
