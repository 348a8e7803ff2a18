// '/remarketing': the report of all brokers' campaigns, and the composer of a campaign to a segment.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { NO_BROKER } from '#domain/broker.ts'
import { writeSelection } from '#domain/broker-selection.ts'
import { RemarketingReport } from '#features/remarketing/report/remarketing-report.tsx'
import { isStep, SegmentComposer, type Step } from '#features/remarketing/segment/segment-composer.tsx'
import type { OpenLead } from '#features/remarketing/segment/leads-dialog.tsx'

export function AdminRemarketingPage() {
  const { nova } = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = (step: Step | null) => void navigate({ to: '/remarketing', search: step ? { nova: step } : {} })
  const openLead: OpenLead = ({ id, instanceName }) =>
    void navigate({
      to: '/crm',
      search: { corretores: writeSelection([instanceName ?? NO_BROKER]), lead: id },
    })
  return isStep(nova) ? (
    <SegmentComposer step={nova} onStep={go} onLead={openLead} />
  ) : (
    <RemarketingReport onNew={() => go('quem')} onLead={openLead} />
  )
}
