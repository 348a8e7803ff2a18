// Shows the plan above the message box: a proposal for a silent lead, a question after a hand-over, a decision after
// its last step.
import './plan.css'
import { Repeat } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import type { Try } from '#domain/plan/plan.ts'
import { announce } from '#ui/feedback/toast.ts'
import { useNow } from '#ui/now.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { startPlan } from './data.ts'
import { editor } from './editor.ts'
import { PlanLine } from './plan-line.tsx'
import { planFailed, PlanQuestion } from './plan-questions.tsx'
import { acceptedWords, NEXT_TRIES, timesOf, UNDO } from './texts.ts'
import { useAskedPlan } from './use-asked-plan.ts'

const SAID_MS = 3_000

type PlanStripProps = {
  lead: Lead
  messages: readonly Message[]
  isFree: boolean
  onShown: (isShown: boolean) => void
}

type Said = { words: string; takeBack: () => Promise<void> }

export function PlanStrip({ lead, messages, isFree, onShown }: PlanStripProps) {
  const nowMs = useNow()
  const [said, setSaid] = useState<Said | null>(null)
  const [edited, setEdited] = useState<readonly Try[] | null>(null)
  const asked = useAskedPlan(lead, messages)
  const isShown = isFree && (said !== null || asked.what !== null)
  useEffect(() => onShown(isShown), [isShown, onShown])
  useEffect(() => () => onShown(false), [onShown])
  useEffect(() => {
    if (!said) return undefined
    const timer = setTimeout(() => setSaid(null), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])
  const accept = (tries: readonly Try[], asDefault = false) => {
    const { plan } = asked
    startPlan(lead, tries, { asDefault, plan }).then((takeBack) => {
      const words = acceptedWords(tries.length)
      setSaid({ words, takeBack })
      announce(`${words}.`)
    }, planFailed)
  }
  return (
    <>
      {isFree && !said && asked.ended && <PlanLine>{asked.ended}</PlanLine>}
      {isFree && !said && asked.coming.length > 0 && (
        <PlanLine
          onEdit={() => editor.open(() => setEdited(asked.coming))}
        >{`${NEXT_TRIES}: ${timesOf(asked.coming, nowMs)}`}</PlanLine>
      )}
      {isShown && said && <Saved said={said} onUndo={() => setSaid(null)} />}
      {isShown && !said && (
        <PlanQuestion {...asked} {...{ lead, nowMs }} onAccept={accept} onEdit={setEdited} />
      )}
      <Suspense>
        {edited && (
          <editor.Component
            lead={lead}
            first={edited}
            hours={asked.hours}
            isStarted={asked.plan !== null && asked.plan.state !== 'ended'}
            onSave={accept}
            onClose={() => setEdited(null)}
          />
        )}
      </Suspense>
    </>
  )
}

function Saved({ said: { words, takeBack }, onUndo }: { said: Said; onUndo: () => void }) {
  const undo = () => {
    onUndo()
    takeBack().catch(planFailed)
  }
  return (
    <p className="flex min-h-11 items-center gap-2 px-4 text-14 text-text-2">
      <Icon of={Repeat} size={16} />
      <span className="grow">{words}</span>
      <button type="button" onClick={undo} className="min-h-11 rounded-md px-2 font-semibold text-primary">
        {UNDO}
      </button>
    </p>
  )
}
