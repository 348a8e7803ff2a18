// 'Bem-vindo': shown to a broker until WhatsApp is connected for the first time.
import { QrCode } from 'lucide-react'
import { useIsOnline } from '#data/connectivity.ts'
import { Button } from '#ui/primitives/button.tsx'
import { CONNECT, CONNECTING, UNCONFIGURED } from './texts.ts'
import { WelcomeScene } from './welcome-scene.tsx'

type WelcomeProps = {
  username: string
  /** False if the portal has no WhatsApp gateway, so the broker cannot connect. */
  isConfigured: boolean
  isConnecting: boolean
  onConnect: () => void
  onSeeLeads: () => void
}

export function Welcome({ username, isConfigured, isConnecting, onConnect, onSeeLeads }: WelcomeProps) {
  const isOnline = useIsOnline()
  const note = isOnline
    ? 'Você só precisa fazer isso uma vez neste número.'
    : 'Você precisa de internet para conectar.'
  return (
    <div className="mx-auto flex w-full max-w-108 grow flex-col px-6 pb-[max(32px,var(--safe-bottom))]">
      <div className="flex grow flex-col justify-center py-6">
        <WelcomeScene />
        <h1 className="mt-9 text-30 font-title tracking-title wrap-anywhere">Bem-vindo, {username}</h1>
        <p className="mt-2 text-17 leading-message text-text-2">
          {isConfigured ? 'Conecte seu WhatsApp para começar' : UNCONFIGURED}
        </p>
      </div>
      {isConfigured ? (
        <Button
          size="large"
          icon={QrCode}
          disabled={!isOnline}
          busy={isConnecting && CONNECTING}
          onClick={onConnect}
        >
          {CONNECT}
        </Button>
      ) : (
        <Button size="large" onClick={onSeeLeads}>
          Ver meus leads
        </Button>
      )}
      <p className="mt-3.5 text-center text-13 text-text-3" aria-live="polite">
        {isConfigured ? note : 'Peça ao administrador para configurar o WhatsApp.'}
      </p>
    </div>
  )
}
