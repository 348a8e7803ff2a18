// Administradores: the page with the list of administrators.
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { AdminsCard } from './admins-card.tsx'
import { ADMINS } from './texts.ts'

export function AdminsPage() {
  usePageTitle(ADMINS)
  return (
    <div className="mx-auto flex max-w-180 flex-col gap-4">
      <h1 className="pb-1 text-24 font-semibold tracking-heading">{ADMINS}</h1>
      <AdminsCard />
    </div>
  )
}
