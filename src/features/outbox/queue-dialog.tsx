// 'Pendências': entries that wait, conflict or were refused, each with its possible actions.
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { sendNow, useWaiting } from '#data/pending.ts'
import { type Entry, needsDecision } from '#domain/outbox/command.ts'
import type { Stage } from '#domain/stage.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { State } from '#ui/feedback/state.tsx'
import { Decision } from './decision.tsx'
import { closeQueue, useQueueOpening } from './queue-opening.ts'
import { EntryRow } from './entry-row.tsx'

export function QueueDialog({ stages }: { stages: readonly Stage[] }) {
  const { isOpen, leadId } = useQueueOpening()
  const waiting = useWaiting()
  const isFirst = (entry: Entry) => Number(entry.command.lead.id !== leadId)
  const ordered = leadId === null ? waiting : waiting.toSorted((a, b) => isFirst(a) - isFirst(b))
  const undecided = ordered.filter(needsDecision)
  const queued = ordered.filter((entry) => !needsDecision(entry))
  const list = useFocusInList(waiting.length)
  return (
    <Dialog isOpen={isOpen} onClose={closeQueue} title="Pendências">
      <div ref={list} tabIndex={-1} className="flex flex-col gap-4 px-3 pt-1 pb-2 outline-none">
        {waiting.length === 0 && <State kind="empty" icon={CircleCheck} title="Tudo enviado." />}
        {undecided.length > 0 && (
          <Section heading="Esperam sua decisão">
            {undecided.map((entry) => (
              <Decision key={entry.seq} entry={entry} stages={stages} />
            ))}
          </Section>
        )}
        {queued.length > 0 && (
          <Section heading="Alterações na fila" hint="Serão enviadas assim que a internet voltar.">
            {queued.map((entry) => (
              <EntryRow key={entry.seq} entry={entry} stages={stages} />
            ))}
          </Section>
        )}
        {queued.length > 0 && <SendNow />}
      </div>
    </Dialog>
  )
}

/** Keeps the focus in the dialog when the row that had it was removed. */
function useFocusInList(count: number) {
  const ref = useRef<HTMLDivElement>(null)
  const before = useRef(count)
  useEffect(() => {
    if (count < before.current && !document.activeElement?.matches('dialog *')) ref.current?.focus()
    before.current = count
  }, [count])
  return ref
}

type SectionProps = { heading: string; hint?: string; children: React.ReactNode }

function Section({ heading, hint, children }: SectionProps) {
  return (
    <section>
      <h3 className="text-15 font-semibold">{heading}</h3>
      {hint && <p className="text-13 text-text-3">{hint}</p>}
      <ul className="mt-2 flex flex-col gap-2">{children}</ul>
    </section>
  )
}

function SendNow() {
  const isOnline = useIsOnline()
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    await sendNow()
    setBusy(false)
  }
  return (
    <div className="flex flex-col gap-1.5">
      <Button size="large" busy={isBusy && 'Enviando…'} disabled={!isOnline} onClick={() => void send()}>
        Enviar agora
      </Button>
      {!isOnline && <p className="text-center text-13 text-text-3">Você precisa de internet para enviar.</p>}
    </div>
  )
}
