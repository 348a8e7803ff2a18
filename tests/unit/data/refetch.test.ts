// Data without live events is polled while its page is open.
import { expect, it } from 'vitest'
import { auditQuery } from '#data/audit.ts'
import { distributedLeadsQuery } from '#features/dashboard/filter/choices-data.ts'
import { overviewQuery } from '#features/dashboard/data.ts'
import { sourcesQuery } from '#features/sources/data.ts'
import { openRoutingCasesQuery } from '#data/board/lead-history.ts'
import { rotationInboxQuery } from '#features/rotations/inbox/data.ts'

it.each([
  ['the audit', auditQuery({})],
  ['leads that wait for a rotation', rotationInboxQuery()],
  ['leads without a broker', openRoutingCasesQuery()],
  ['leads handed out', distributedLeadsQuery({ from: '2026-11-01', to: '2026-11-23' })],
  ['sources of leads', sourcesQuery()],
  ['the dashboard', overviewQuery()],
])('%s', (_, query) => {
  const { refetchInterval } = query
  expect(refetchInterval).toBeGreaterThan(0)
  expect(refetchInterval).toBeLessThanOrEqual(60_000)
})
