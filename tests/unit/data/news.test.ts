// What no live event tells of is asked for again while its page stays open.
import { expect, it } from 'vitest'
import { auditQuery } from '#data/audit.ts'
import { distributedLeadsQuery } from '#data/dashboard-choices.ts'
import { overviewQuery } from '#data/dashboard.ts'
import { intakeKeysQuery } from '#data/intake-keys.ts'
import { openCasesQuery } from '#data/lead-courses.ts'
import { roletaInboxQuery } from '#data/roleta-inbox.ts'
import { roletasQuery } from '#data/roletas.ts'

it.each([
  ['the audit', auditQuery({})],
  ['rotations', roletasQuery()],
  ['leads that wait for a rotation', roletaInboxQuery()],
  ['leads without a broker', openCasesQuery()],
  ['leads handed out', distributedLeadsQuery({ from: '2026-11-01', to: '2026-11-23' })],
  ['intake keys', intakeKeysQuery()],
  ['the dashboard', overviewQuery()],
])('%s', (_, query) => {
  const { refetchInterval } = query
  expect(refetchInterval).toBeGreaterThan(0)
  expect(refetchInterval).toBeLessThanOrEqual(60_000)
})
