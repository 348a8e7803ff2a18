// Tells whoever was signed in a moment ago why she has to sign in again. DESIGN-SYSTEM 11.
import { Clock3 } from 'lucide-react'
import { useSession } from '#data/session.ts'
import { Banner } from '#ui/banner.tsx'
import { SESSION_OVER } from './texts.ts'

export function SessionOver() {
  const session = useSession()
  if (session.status !== 'out' || !session.isExpired) return null
  return (
    <Banner tone="warning" icon={Clock3}>
      {SESSION_OVER}
    </Banner>
  )
}
