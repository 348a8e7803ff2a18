// '/': the brokers, and the dialog that connects the WhatsApp of one of them.
import { Suspense, useState } from 'react'
import { BrokerGrid } from '#features/brokers/broker-grid.tsx'
import { lazily } from '#ui/lazily.ts'

const flow = lazily(async () => (await import('#features/connect/connect-flow.tsx')).ConnectFlow)

export function AdminHomePage() {
  const [connecting, setConnecting] = useState<string | null>(null)
  return (
    <>
      <BrokerGrid onConnect={({ instanceName }) => setConnecting(instanceName)} />
      <Suspense>
        {connecting !== null && (
          <flow.Component instanceName={connecting} onEnd={() => setConnecting(null)} />
        )}
      </Suspense>
    </>
  )
}
