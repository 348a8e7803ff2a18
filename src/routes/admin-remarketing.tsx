// /remarketing: the report of all brokers' campaigns. Spec 2.8.
import { RemarketingReport } from '#features/remarketing/report/remarketing-report.tsx'

export function AdminRemarketingPage() {
  return <RemarketingReport />
}
