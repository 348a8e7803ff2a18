// A banner above every administrator screen while the WhatsApp gateway itself is down.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ServerOff } from 'lucide-react'
import { healthQuery } from '#data/diagnostics.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { gatewayDown } from './texts.ts'

const ASK_EVERY_MS = 60_000

export function GatewayDown() {
  const { data: health } = useQuery({ ...healthQuery(), refetchInterval: ASK_EVERY_MS })
  const navigate = useNavigate()
  const fault = health ? gatewayDown(health.gateway) : null
  if (fault === null) return null
  return (
    <div className="px-4 pt-2 lg:px-8">
      <Banner
        tone="danger"
        icon={ServerOff}
        action={{ label: 'Ver saúde do sistema', run: () => void navigate({ to: '/saude' }) }}
      >
        {fault}
      </Banner>
    </div>
  )
}
