// '/auditoria': the audit log; its filters are in the address.
import { getRouteApi } from '@tanstack/react-router'
import { isDay } from '#domain/dashboard/period.ts'
import { AuditPage } from '#features/audit/audit-page.tsx'

const route = getRouteApi('/admin/account-screens/auditoria')
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const day = (value: unknown) => (typeof value === 'string' && isDay(value) ? value : undefined)

export function AdminAuditPage() {
  const { quem, oque, de, ate } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <AuditPage
      filter={{ who: text(quem), what: text(oque), from: day(de), to: day(ate) }}
      onFilter={({ who, what, from, to }) =>
        void navigate({ search: { quem: who, oque: what, de: from, ate: to }, replace: true })
      }
    />
  )
}
