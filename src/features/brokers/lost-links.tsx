// A banner above every administrator screen: brokers whose WhatsApp link was lost although nobody disconnected it.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Unplug } from 'lucide-react'
import { brokersQuery } from '#data/brokers.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { lostLinks } from './texts.ts'

export function LostLinks() {
  const { data: brokers = [] } = useQuery(brokersQuery())
  const navigate = useNavigate()
  const lost = lostLinks(brokers)
  if (lost === null) return null
  return (
    <div className="px-4 pt-2 lg:px-8">
      <Banner
        tone="warning"
        icon={Unplug}
        action={{ label: 'Ver corretores', run: () => void navigate({ to: '/' }) }}
      >
        {lost}
      </Banner>
    </div>
  )
}
