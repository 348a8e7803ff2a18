// '/' for a gerente: the leads of the team that wait now.
import { useNavigate } from '@tanstack/react-router'
import { NO_BROKER } from '#domain/broker.ts'
import { usePassing } from '#features/crm/passing.tsx'
import { writeSelection } from '#domain/broker-selection.ts'
import { TeamNow } from '#features/dashboard/team-now.tsx'

export function ManagerHome() {
  const navigate = useNavigate()
  const { pass, sheet } = usePassing()
  return (
    <>
      <TeamNow
        onLead={({ id, instanceName }) =>
          void navigate({
            to: '/crm',
            search: { corretores: writeSelection([instanceName ?? NO_BROKER]), lead: id },
          })
        }
        onPass={pass}
      />
      {sheet}
    </>
  )
}
