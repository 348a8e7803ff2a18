// '/auditoria': the audit log; its filters stand in the address. Issue of the administrator's account.
import { getRouteApi } from '@tanstack/react-router'
import { AuditPage } from '#features/audit/audit-page.tsx'

const route = getRouteApi('/admin/auditoria')

export function AdminAuditPage() {
  const { quem, oque, de, ate } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <AuditPage
      filter={{ who: quem, what: oque, from: de, to: ate }}
      onFilter={({ who, what, from, to }) =>
        void navigate({ search: { quem: who, oque: what, de: from, ate: to }, replace: true })
      }
    />
  )
}
