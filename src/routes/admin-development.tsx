// '/empreendimentos/$id': one development.
import { getRouteApi } from '@tanstack/react-router'
import { DevelopmentPage } from '#features/developments/page/development-page.tsx'

const route = getRouteApi('/admin/empreendimentos/$id')

export function AdminDevelopmentPage() {
  const { id } = route.useParams()
  const navigate = route.useNavigate()
  return <DevelopmentPage key={id} id={Number(id)} onBack={() => void navigate({ to: '/empreendimentos' })} />
}
