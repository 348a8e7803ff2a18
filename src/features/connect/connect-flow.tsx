// The dialogs of connecting WhatsApp, from start to end. The page renders them only while somebody connects.
import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { CLOSE } from '#ui/texts.ts'
import { NumberForm } from './number-form.tsx'
import { PairingCode } from './pairing-code.tsx'
import { QrCode } from './qr-code.tsx'
import { CONNECT, MOVING } from './texts.ts'
import { useConnection } from './use-connection.ts'
import { Waiting } from './waiting.tsx'

type ConnectFlowProps = {
  instanceName: string
  /** Called when the phone is connected, the user cancels, or the first request fails. */
  onEnd: () => void
}

export function ConnectFlow({ instanceName, onEnd }: ConnectFlowProps) {
  const { connection, nowMs, isOnline, isMoving, begin } = useConnection(instanceName)
  const [isTyping, setTyping] = useState(false)
  const { isOpen, isDone, code, number } = connection
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (isDone) end()
  }, [isDone])

  const useNumber = (typed: string) => {
    setTyping(false)
    begin({ number: typed })
  }
  const useQr = () => {
    setTyping(false)
    if (number !== null) begin()
  }

  return (
    <Dialog isOpen={isOpen && !isDone} onClose={onEnd} title={CONNECT}>
      <div className="flex flex-col gap-2 px-3 pt-1">
        {isMoving && connection.step !== 'connected' && (
          <p className="text-center text-14 text-text-2 text-pretty">{MOVING}</p>
        )}
        {isTyping ? (
          <NumberForm onNumber={useNumber} onQr={useQr} />
        ) : code && number !== null ? (
          <PairingCode connection={connection} code={code} nowMs={nowMs} onQr={useQr} />
        ) : code ? (
          <QrCode
            connection={connection}
            code={code}
            nowMs={nowMs}
            isOnline={isOnline}
            onSamePhone={() => setTyping(true)}
          />
        ) : (
          <Waiting
            connection={connection}
            nowMs={nowMs}
            isOnline={isOnline}
            hasCures={!isMoving}
            onBegin={begin}
          />
        )}
        <Button variant="quiet" onClick={onEnd}>
          {CLOSE}
        </Button>
      </div>
    </Dialog>
  )
}
