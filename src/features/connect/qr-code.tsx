// Shows the QR code with its remaining time. Users on the phone that would have to scan it can get a code to type.
import { CloudOff, Smartphone } from 'lucide-react'
import { Button } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import type { Code, Connection } from './connection-steps.ts'
import { RenewRing } from './renew-ring.tsx'

const qrAlt = (seconds: number) => `QR Code para conectar o WhatsApp. Cada código vale ${seconds} segundos.`

type QrCodeProps = {
  connection: Connection
  code: Code
  nowMs: number
  isOnline: boolean
  onSamePhone: () => void
}

export function QrCode({ connection, code, nowMs, isOnline, onSamePhone }: QrCodeProps) {
  return (
    <div className="flex flex-col items-center text-center">
      {/* Scanners need a white margin, so the dark theme has one too. */}
      <div className="flex aspect-square w-83 max-w-full items-center justify-center rounded-dialog bg-brand-light p-4 shadow-card">
        {isOnline ? (
          <img
            src={code.image}
            alt={qrAlt(code.lifetimeMs / 1_000)}
            width={300}
            height={300}
            className={classNames('transition-opacity', connection.isAsking && 'opacity-30')}
          />
        ) : (
          <p className="flex flex-col items-center gap-2 px-6 text-brand">
            <Icon of={CloudOff} size={24} />
            Sem conexão. O código aparece quando a internet voltar.
          </p>
        )}
      </div>
      <p className="mt-4.5 text-17 font-semibold tracking-name">Escaneie este código</p>
      <p className="mt-1 text-14 text-text-2">WhatsApp › Aparelhos conectados › Conectar aparelho</p>
      {isOnline && <RenewRing connection={connection} code={code} nowMs={nowMs} />}
      <div className="mt-5 flex w-full flex-col">
        <Button variant="soft" icon={Smartphone} onClick={onSamePhone}>
          Estou neste mesmo celular
        </Button>
      </div>
    </div>
  )
}
