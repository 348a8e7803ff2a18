// '/': the brokers, the first steps of a new agency, and the dialog that connects a broker's WhatsApp; for a gerente
// the team's leads that wait now.
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useIsAdmin } from '#data/is-admin.ts'
import { BrokerGrid } from '#features/brokers/broker-grid.tsx'
import { FirstHour, useFirstHour } from '#features/first-hour/first-hour.tsx'
import { FirstHourEnd } from '#features/first-hour/first-hour-end.tsx'
import { lazily } from '#ui/lazily.ts'

const flow = lazily(async () => (await import('#features/connect/connect-flow.tsx')).ConnectFlow)

const team = lazily(async () => (await import('./parts/manager-home.tsx')).ManagerHome)

export function AdminHomePage() {
  if (useIsAdmin()) return <Brokers />
  return (
    <Suspense>
      <team.Component />
    </Suspense>
  )
}

function Brokers() {
  const [connecting, setConnecting] = useState<string | null>(null)
  const [isAdding, setAdding] = useState(false)
  const navigate = useNavigate()
  const { hour, isAlone, hide, end, close } = useFirstHour()
  return (
    <>
      {hour && (
        <FirstHour
          hour={hour}
          onHide={hide}
          onAddBroker={() => setAdding(true)}
          onAddSource={() => void navigate({ to: '/roleta', search: { vista: 'captacao' } })}
          onShowUnowned={() => void navigate({ to: '/roleta', search: { vista: 'leads' } })}
          onBrand={() => void navigate({ to: '/conta' })}
        />
      )}
      {end && <FirstHourEnd end={end} onClose={close} />}
      <BrokerGrid
        isBare={isAlone}
        isAdding={isAdding}
        onAdding={setAdding}
        onConnect={({ instanceName }) => setConnecting(instanceName)}
      />
      <Suspense>
        {connecting !== null && (
          <flow.Component instanceName={connecting} onEnd={() => setConnecting(null)} />
        )}
      </Suspense>
    </>
  )
}
