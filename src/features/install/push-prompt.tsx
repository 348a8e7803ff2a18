// 'Saiba na hora quando um lead responder': explains pushes before the system's prompt, in the installed app, after the
// first conversation was closed.
import { BellRing } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useSeenConversation } from '#data/messages/seen-conversation.ts'
import { switchOn } from '#live/push.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { Modal } from '#ui/primitives/overlay/modal.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { mayAskAgain } from './install-rules.ts'
import { notePushOffer, pushOffer, showPushOffer, usePushOffer } from './push-offer.ts'
import { useIsQuiet } from './quiet.ts'
import { NOT_NOW } from './texts.ts'

/** Mounted only where the app may switch on pushes. */
export function PushPrompt() {
  const isOpen = usePushOffer()
  const isQuiet = useIsQuiet()
  const isReading = useSeenConversation() !== null
  useEffect(() => {
    const offer = pushOffer()
    if (isQuiet && !isReading && offer.hasOpened && mayAskAgain(offer, Date.now())) showPushOffer(true)
  }, [isQuiet, isReading])
  return <PushSheet isOpen={isOpen} onClose={() => showPushOffer(false)} />
}

function PushSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const titleId = useId()
  const [isBusy, setBusy] = useState(false)
  const decline = () => {
    notePushOffer(({ declines }) => ({ declines: declines + 1, declinedAtMs: Date.now() }))
    onClose()
  }
  const accept = async () => {
    setBusy(true)
    try {
      const state = await switchOn()
      // The user closed the system's prompt without an answer, so it may be shown again on another day.
      if (state === 'off') return decline()
      if (state === 'on') toast('Avisos ativados neste aparelho', 'success')
      else toast('Avisos bloqueados neste aparelho. Para ativar, abra os ajustes do sistema.', 'info')
      onClose()
    } catch {
      toast('Erro ao ativar os avisos. Tente de novo quando a internet voltar.', 'error')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal isOpen={isOpen} onClose={decline} labelledBy={titleId}>
      <div className="flex flex-col px-5 pt-8.5 pb-[max(20px,var(--safe-bottom))]">
        <span className="inline-flex size-14 items-center justify-center rounded-card bg-warning-soft text-on-warning-soft">
          <Icon of={BellRing} size={24} />
        </span>
        <h2 id={titleId} className="mt-4 max-w-72 text-20 leading-tight font-semibold">
          Saiba na hora quando um lead responder
        </h2>
        <p className="mt-2 text-16 leading-snug text-text-2">
          Avisamos só sobre mensagens novas e campanhas concluídas. Você escolhe os horários na sua conta.
        </p>
        <div className="mt-6 flex flex-col gap-2">
          <Button size="large" busy={isBusy && 'Ativando...'} onClick={() => void accept()}>
            Ativar avisos
          </Button>
          <Button variant="quiet" onClick={decline}>
            {NOT_NOW}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
