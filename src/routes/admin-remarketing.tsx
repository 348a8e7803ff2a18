// '/remarketing': the report of all brokers' campaigns.
import { RemarketingReport } from '#features/remarketing/report/remarketing-report.tsx'

export function AdminRemarketingPage() {
  return <RemarketingReport />
}
