// 'Bem-vindo': what a broker sees until WhatsApp is connected for the first time.
import { QrCode } from 'lucide-react'
import { useIsOnline } from '#data/connectivity.ts'
import { Button } from '#ui/primitives/button.tsx'
import {
  CONNECT,
  CONNECT_HINT,
  CONNECTING,
  OFFLINE_HINT,
  ONCE_ONLY,
  SEE_LEADS,
  UNCONFIGURED,
  UNCONFIGURED_HINT,
} from './texts.ts'
import { WelcomeScene } from './welcome-scene.tsx'

type WelcomeProps = {
  username: string
  /** The portal has a WhatsApp gateway. */
  isConfigured: boolean
  isConnecting: boolean
  onConnect: () => void
  onSeeLeads: () => void
}

export function Welcome({ username, isConfigured, isConnecting, onConnect, onSeeLeads }: WelcomeProps) {
  const isOnline = useIsOnline()
  const note = isOnline ? ONCE_ONLY : OFFLINE_HINT
  return (
    <div className="mx-auto flex w-full max-w-108 grow flex-col px-6 pb-[max(32px,var(--safe-bottom))]">
      <div className="flex grow flex-col justify-center py-6">
        <WelcomeScene />
        <h1 className="mt-9 text-30 font-title tracking-title wrap-anywhere">Bem-vindo, {username}</h1>
        <p className="mt-2 text-17 leading-message text-text-2">
          {isConfigured ? CONNECT_HINT : UNCONFIGURED}
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
          {SEE_LEADS}
        </Button>
      )}
      <p className="mt-3.5 text-center text-13 text-text-3" aria-live="polite">
        {isConfigured ? note : UNCONFIGURED_HINT}
      </p>
    </div>
  )
}
