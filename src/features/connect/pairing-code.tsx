// The code to type in WhatsApp on this same phone.
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/primitives/button.tsx'
import type { Code, Connection } from './connection-steps.ts'
import { RenewRing } from './renew-ring.tsx'
import { BACK_TO_QR } from './texts.ts'

type PairingCodeProps = { connection: Connection; code: Code; nowMs: number; onQr: () => void }

export function PairingCode({ connection, code, nowMs, onQr }: PairingCodeProps) {
  const { pairingCode } = code
  return (
    <div className="flex flex-col gap-2">
      {pairingCode === null ? (
        <p className="py-6 text-center leading-body text-text-2 text-pretty">
          O WhatsApp não deu um código para este número. Confira o número ou escaneie o QR Code.
        </p>
      ) : (
        <div className="flex flex-col items-center gap-3 py-3 text-center">
          <p className="leading-body text-text-2 text-pretty">
            Digite este código no WhatsApp: Aparelhos conectados › Conectar com número de telefone
          </p>
          <p className="rounded-lg bg-surface-2 px-5 py-3 text-32 font-title tracking-[0.08em] tabular-nums">
            <span aria-hidden>
              {pairingCode.slice(0, 4)}-{pairingCode.slice(4)}
            </span>
            {/* Screen readers get the code with spaces, so that they spell it. */}
            <span className="sr-only">{pairingCode.split('').join(' ')}</span>
          </p>
          <RenewRing connection={connection} code={code} nowMs={nowMs} />
        </div>
      )}
      {pairingCode !== null && <CopyButton text={pairingCode} />}
      <Button variant="ghost" onClick={onQr}>
        {BACK_TO_QR}
      </Button>
    </div>
  )
}

function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState<string | null>(null)
  // Browsers offer no clipboard on pages over plain http. The user can still read the code.
  if (!('clipboard' in navigator)) return null
  const isCopied = copied === text
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(text))
  return (
    <Button variant="soft" icon={isCopied ? Check : Copy} onClick={copy}>
      <output>{isCopied ? 'Código copiado' : 'Copiar código'}</output>
    </Button>
  )
}
