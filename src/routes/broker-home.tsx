// /broker: the broker's board. Spec 2.17, 2.9.
import { getRouteApi } from '@tanstack/react-router'
import { useSession } from '#data/session.ts'
import { BrokerBoard } from '#features/kanban/broker-board.tsx'
import { usePageTitle } from '#ui/page-title.ts'

const route = getRouteApi('/broker/')

export function BrokerHomePage() {
  const { estagio } = route.useSearch()
  const navigate = route.useNavigate()
  const session = useSession()
  usePageTitle('Gerenciar Conversas')
  if (session.status !== 'in' || session.user.role !== 'broker') return null
  return (
    <BrokerBoard
      instanceName={session.user.instanceName}
      stageSlug={estagio}
      // Replaced, so that Back never walks through stages (INTERACTIONS 1.2).
      onStage={(slug) => void navigate({ search: { estagio: slug }, replace: true })}
    />
  )
}
