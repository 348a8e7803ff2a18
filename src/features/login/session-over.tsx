// Explains why a recently signed-in user has to sign in again.
import { Clock3 } from 'lucide-react'
import { useWaiting } from '#data/pending.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { SESSION_OVER } from './texts.ts'

export function SessionOver() {
  const hasUnsent = useWaiting().length > 0
  return (
    <Banner tone="warning" icon={Clock3}>
      {hasUnsent ? 'Sua sessão expirou. Entre de novo; as alterações na fila estão guardadas.' : SESSION_OVER}
    </Banner>
  )
}
