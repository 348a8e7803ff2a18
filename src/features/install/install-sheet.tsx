// 'Instale o Portal': a button if the browser can prompt, three steps on an iPhone.
import { AGENCY } from '#ui/primitives/agency.ts'
import { BellRing, type LucideIcon, Share, SquarePlus } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { install, type InstallWay } from '#live/install.ts'
import { BrandMark } from '#ui/primitives/brand-mark.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { Modal } from '#ui/primitives/overlay/modal.tsx'
import { NOT_NOW } from './texts.ts'

const INSTALL_TITLE = `Instale o Portal ${AGENCY || 'do Corretor'}`

type InstallSheetProps = {
  way: InstallWay
  isOpen: boolean
  onDecline: () => void
  onInstalled: () => void
}

export function InstallSheet({ way, isOpen, onDecline, onInstalled }: InstallSheetProps) {
  const titleId = useId()
  const installNow = () => void install().then((isAccepted) => (isAccepted ? onInstalled() : onDecline()))
  return (
    <Modal isOpen={isOpen} onClose={onDecline} labelledBy={titleId}>
      <div className="flex flex-col px-5 pt-7 pb-[max(20px,var(--safe-bottom))]">
        <div className="flex items-center gap-3.5">
          <BrandMark className="size-15" />
          <div className="min-w-0">
            <h2 id={titleId} className="text-20 font-semibold">
              {INSTALL_TITLE}
            </h2>
            <p className="mt-1 leading-snug text-text-2">
              Abre direto da tela inicial e funciona mesmo sem sinal.
            </p>
          </div>
        </div>
        {way === 'steps' && <Steps />}
        <div className="mt-6 flex flex-col gap-2">
          {way === 'steps' ? (
            <Button size="large" onClick={onDecline}>
              Entendi
            </Button>
          ) : (
            <Button size="large" onClick={installNow}>
              Instalar
            </Button>
          )}
          <Button variant="quiet" onClick={onDecline}>
            {NOT_NOW}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

function Steps() {
  return (
    <ol className="mt-7 flex flex-col gap-4">
      <Step icon={Share}>
        Toque em <strong className="font-semibold">Compartilhar</strong> na barra do Safari
      </Step>
      <Step icon={SquarePlus}>
        Escolha <strong className="font-semibold">Adicionar à Tela de Início</strong>
      </Step>
      <Step icon={BellRing}>Abra pelo ícone e ative os avisos de mensagem</Step>
    </ol>
  )
}

function Step({ icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <li className="flex items-center gap-3.5 text-16 leading-snug">
      <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-md bg-surface-2 text-primary">
        <Icon of={icon} />
      </span>
      <span className="min-w-0">{children}</span>
    </li>
  )
}
