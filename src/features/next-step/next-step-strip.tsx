// Suggests a next step above the box after a message was sent: one tap sets it, and a line confirms it for a moment.
import './next-step.css'
import { Flag, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { TakeBack } from '#data/deeds.ts'
import { saveAction } from './data.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { type Suggestion, suggestionsAt } from '#domain/next-action/words.ts'
import { announce, toast } from '#ui/feedback/toast.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { IconButton } from '#ui/primitives/button.tsx'
import { useNow } from '#ui/now.ts'
import { NextStepDialog } from './next-step-sheet.tsx'
import { isNotNow, sayNotNow } from './not-now.ts'
import { NEXT_STEP, SAVE_FAILED, spokenStep, UNDO } from './texts.ts'

const SAID_MS = 3_000

type NextStepStripProps = {
  lead: Lead
  isOffered: boolean
  onShown: (isShown: boolean) => void
  /** Opens the booking of a visit. */
  onVisit: (leadId: number) => void
}

type Said = { words: string; takeBack: TakeBack }

export function NextStepStrip({ lead, isOffered, onShown, onVisit }: NextStepStripProps) {
  const nowMs = useNow()
  const [isLeft, setLeft] = useState(false)
  const [said, setSaid] = useState<Said | null>(null)
  const [isChoosing, setChoosing] = useState(false)
  const isSaving = useRef(false)
  const isShown =
    said !== null || (isOffered && !isLeft && lead.next.length === 0 && !isNotNow(lead.id, nowMs))
  useEffect(() => onShown(isShown), [isShown, onShown])
  useEffect(() => () => onShown(false), [onShown])
  useEffect(() => {
    if (!said) return undefined
    const timer = setTimeout(() => setSaid(null), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])

  const choose = ({ label, ...wanted }: Suggestion) => {
    // Ignores a second tap while the first one is being stored.
    if (isSaving.current) return
    isSaving.current = true
    saveAction(lead, { ...wanted, note: '' })
      .then(
        (takeBack) => {
          setSaid({ words: label, takeBack })
          announce(spokenStep(label.toLowerCase()))
        },
        () => toast(SAVE_FAILED, 'error'),
      )
      .finally(() => (isSaving.current = false))
  }
  const leave = () => {
    sayNotNow(lead.id, nowMs)
    setLeft(true)
  }
  return (
    <>
      {isShown &&
        (said ? (
          <Saved said={said} onUndo={() => setSaid(null)} />
        ) : (
          <section aria-label={NEXT_STEP} className="animate-rise px-3 pt-1 short:hidden">
            <div className="flex items-center gap-1.5 text-13 font-medium text-text-2">
              <Icon of={Flag} size={16} />
              <span className="grow">{NEXT_STEP}</span>
              <IconButton icon={X} label="Agora não" onClick={leave} />
            </div>
            <div className="scrollbar-none flex gap-2 overflow-x-auto">
              {suggestionsAt(nowMs).map((suggestion) => (
                <button
                  key={suggestion.label}
                  type="button"
                  className="next-step"
                  onClick={() => choose(suggestion)}
                >
                  {suggestion.label}
                </button>
              ))}
              <button type="button" className="next-step" onClick={() => onVisit(lead.id)}>
                Visita
              </button>
              <button type="button" className="next-step" data-quiet onClick={() => setChoosing(true)}>
                Escolher
              </button>
            </div>
          </section>
        ))}
      <NextStepDialog
        lead={isChoosing ? lead : undefined}
        kind="call"
        onVisit={(id) => {
          setChoosing(false)
          onVisit(id)
        }}
        onClose={() => setChoosing(false)}
      />
    </>
  )
}

function Saved({ said: { words, takeBack }, onUndo }: { said: Said; onUndo: () => void }) {
  const undo = () => {
    onUndo()
    takeBack().catch(() => toast(SAVE_FAILED, 'error'))
  }
  return (
    <p className="flex min-h-11 items-center gap-2 px-4 text-14 text-text-2">
      <Icon of={Flag} size={16} />
      <span className="grow">{words}</span>
      <button type="button" onClick={undo} className="min-h-11 rounded-md px-2 font-semibold text-primary">
        {UNDO}
      </button>
    </p>
  )
}
