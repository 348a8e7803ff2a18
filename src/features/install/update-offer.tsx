// 'Nova versão disponível', shown in the place of toasts while the user is idle. It stays until the user answers, and
// blocks nothing.
import { Sparkles } from 'lucide-react'
import { takeUpdate, useUpdate } from '#live/service-worker.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { useIsIdle } from '#ui/busy.ts'
import { useToast } from '#ui/feedback/toast.ts'

export function UpdateOffer() {
  const update = useUpdate()
  return update === 'none' ? null : <Offer isElsewhere={update === 'elsewhere'} />
}

function Offer({ isElsewhere }: { isElsewhere: boolean }) {
  const isIdle = useIsIdle()
  const hasToast = useToast() !== null
  if (!isIdle || hasToast) return null
  return (
    <div className="fixed inset-x-4 bottom-[calc(76px+var(--safe-bottom))] z-60 mx-auto max-w-112 animate-rise rounded-tab shadow-3 md:inset-x-auto md:right-6 md:bottom-6 md:min-w-90">
      <Banner
        tone="dark"
        icon={Sparkles}
        action={{ label: isElsewhere ? 'Recarregar quando puder' : 'Atualizar', run: takeUpdate }}
      >
        {isElsewhere ? 'Nova versão ativa' : 'Nova versão disponível'}
      </Banner>
    </div>
  )
}
