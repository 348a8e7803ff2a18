// '/empreendimentos': the developments, one of them, or the feed, as the address tells. The address has the list's
// filter too.
import { getRouteApi } from '@tanstack/react-router'
import { NO_BROKER } from '#domain/broker.ts'
import { writeSelection } from '#domain/broker-selection.ts'
import { DevelopmentList } from '#features/developments/development-list.tsx'
import { readFilter } from '#features/developments/list-filter.ts'
import { FeedPage } from '#features/developments/feed/feed-page.tsx'
import { DevelopmentPage } from '#features/developments/page/development-page.tsx'
import type { OpenLead } from '#features/developments/page/usage-leads.tsx'
import { lazily } from '#ui/lazily.ts'
import { idOf } from './parts/read-search.ts'

const preview = lazily(
  async () => (await import('#features/conversation/material/material-preview.tsx')).MaterialPreview,
)
const route = getRouteApi('/admin/empreendimentos')

export function AdminDevelopmentsPage() {
  const { id: given, feed, ...search } = route.useSearch()
  const id = idOf(given)
  const navigate = route.useNavigate()
  const openLead: OpenLead = ({ id: lead, instanceName }) =>
    void navigate({
      to: '/crm',
      search: { corretores: writeSelection([instanceName ?? NO_BROKER]), lead },
    })
  if (id !== undefined)
    return (
      <DevelopmentPage
        key={id}
        id={id}
        preview={preview}
        onBack={() => void navigate({ search })}
        onLead={openLead}
      />
    )
  const open = (opened: number) => void navigate({ search: { ...search, id: opened } })
  if (feed === 1) return <FeedPage onBack={() => void navigate({ search })} onOpen={open} />
  return (
    <DevelopmentList
      filter={readFilter(search)}
      onFilter={(filter) => void navigate({ search: filter, replace: true })}
      onFeed={() => void navigate({ search: { ...search, feed: 1 } })}
      onLead={openLead}
      onOpen={open}
    />
  )
}
