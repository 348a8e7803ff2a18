// '/empreendimentos': the developments; its address holds the list's filter.
import { getRouteApi } from '@tanstack/react-router'
import { DevelopmentList } from '#features/developments/development-list.tsx'
import { readFilter } from '#features/developments/list-filter.ts'

const route = getRouteApi('/admin/empreendimentos')

export function AdminDevelopmentsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <DevelopmentList
      filter={readFilter(search)}
      onFilter={(filter) => void navigate({ search: filter, replace: true })}
      onOpen={(id) => void navigate({ to: '/empreendimentos/$id', params: { id: String(id) } })}
    />
  )
}
