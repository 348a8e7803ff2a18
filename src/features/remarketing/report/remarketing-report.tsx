// 'Relatório de Remarketing': all brokers' campaigns, as totals and one by one, for administrators.
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/primitives/button.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { RulesDialog } from '../online-dialogs.ts'
import type { OpenLead } from '../segment/leads-dialog.tsx'
import { SegmentSends } from '../segment/segment-sends.tsx'
import { OPT_OUTS, RULES } from '../texts.ts'
import { BrokerSummary } from './broker-summary.tsx'
import { OptOutsDialog } from './opt-outs-dialog.tsx'
import { ReportHistory } from './report-history.tsx'

const REPORT_TITLE = 'Relatório de Remarketing'

type Sheet = 'rules' | 'opt-outs'

type RemarketingReportProps = { onNew: () => void; onLead: OpenLead }

export function RemarketingReport({ onNew, onLead }: RemarketingReportProps) {
  usePageTitle(REPORT_TITLE)
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const close = () => setSheet(null)
  return (
    <>
      <header className="flex flex-wrap items-center gap-2 pb-5">
        <h1 className="mr-auto text-24 font-semibold tracking-heading">{REPORT_TITLE}</h1>
        <Button variant="line" onClick={() => setSheet('opt-outs')}>
          {OPT_OUTS}
        </Button>
        <Button variant="line" onClick={() => setSheet('rules')}>
          {RULES}
        </Button>
        <Button icon={Plus} onClick={onNew}>
          Nova campanha
        </Button>
      </header>
      <div className="flex flex-col gap-4.5">
        <SegmentSends onLead={onLead} />
        <BrokerSummary />
        <ReportHistory />
      </div>
      <RulesDialog isOpen={sheet === 'rules'} onClose={close} mayChange />
      <OptOutsDialog isOpen={sheet === 'opt-outs'} onClose={close} />
    </>
  )
}
