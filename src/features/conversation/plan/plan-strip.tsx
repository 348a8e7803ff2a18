// Shows the plan above the message box: a proposal for a silent lead, a question after a hand-over, a decision after
// its last step.
import './plan.css'
import { Check, Hourglass, Repeat, X } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { isOpenStep, type LeadPlan, type Try } from '#domain/plan/plan.ts'
import { isPlanProposed, moveIntoHours, oneMore, proposeTries, silentSince } from '#domain/plan/propose.ts'
import { announce, toast } from '#ui/feedback/toast.ts'
import { lazily } from '#ui/lazily.ts'
import { useNow } from '#ui/now.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { useStageMove } from '../ground/use-stage-move.ts'
import { declinePlan, startPlan, stopPlan, useKnownStages, usePlan } from './data.ts'
import { isPlanNotNow, sayPlanNotNow } from './not-now.ts'
import {
  acceptedWords,
  acceptWords,
  endWords,
  nameOf,
  NEXT_TRIES,
  noAnswerWords,
  PLAN,
  SAVE_FAILED,
  silentWords,
  timesOf,
  UNDO,
} from './texts.ts'

const editor = lazily(async () => (await import('./plan-editor.tsx')).PlanEditor)

const SAID_MS = 3_000
/** The decision appears if the lead has not answered the last step after this time. */
const ASK_AFTER_MS = 86_400_000
/** The strip shows for this long why a plan ended. */
const TOLD_MS = 2 * 86_400_000

type PlanStripProps = {
  lead: Lead
  messages: readonly Message[]
  isFree: boolean
  onShown: (isShown: boolean) => void
}

type Said = { words: string; takeBack: () => Promise<void> }

const failed = () => toast(SAVE_FAILED, 'error')

export function PlanStrip({ lead, messages, isFree, onShown }: PlanStripProps) {
  const nowMs = useNow()
  const [said, setSaid] = useState<Said | null>(null)
  const [edited, setEdited] = useState<readonly Try[] | null>(null)
  const asked = useAsked(lead, messages)
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
    }, failed)
  }
  return (
    <>
      {isFree && !said && asked.ended && <Line>{asked.ended}</Line>}
      {isFree && !said && asked.coming.length > 0 && (
        <Line
          onEdit={() => editor.open(() => setEdited(asked.coming))}
        >{`${NEXT_TRIES}: ${timesOf(asked.coming, nowMs)}`}</Line>
      )}
      {isShown && said && <Saved said={said} onUndo={() => setSaid(null)} />}
      {isShown && !said && <Question {...asked} {...{ lead, nowMs }} onAccept={accept} onEdit={setEdited} />}
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

type What = 'propose' | 'confirm' | 'decide' | null

function useAsked(lead: Lead, messages: readonly Message[]) {
  const nowMs = useNow()
  const stages = useKnownStages(lead.instanceName)
  const [isLeft, setLeft] = useState(false)
  const { plan, templates, hours, isKnown } = usePlan(lead)
  const sinceMs = silentSince(lead, messages)
  const stage = stages.find(({ slug }) => slug === lead.stageSlug)
  const isProposed =
    isKnown &&
    !isLeft &&
    isPlanProposed({ lead, sinceMs, plan, isOpenStage: stage?.kind === 'open', nowMs }) &&
    !isPlanNotNow(lead.id, nowMs)
  const what: What = isProposed
    ? 'propose'
    : plan?.state === 'asking'
      ? 'confirm'
      : plan?.state === 'done' && lastOf(plan) < nowMs - ASK_AFTER_MS && !isLeft
        ? 'decide'
        : null
  const name = nameOf(lead)
  const isTold = plan?.reason === 'answered' && nowMs - plan.changedAtMs < TOLD_MS
  return {
    what,
    plan,
    hours,
    sinceMs,
    templates,
    /** Open steps of the running plan. */
    coming: plan?.state === 'running' ? plan.steps.filter(isOpenStep) : [],
    ended: plan && isTold ? endWords(plan, name) : null,
    leave: () => {
      sayPlanNotNow(lead.id, nowMs)
      setLeft(true)
    },
  }
}

const lastOf = ({ steps, changedAtMs }: LeadPlan) =>
  Math.max(0, ...steps.map(({ doneAtMs, dueAtMs }) => doneAtMs ?? dueAtMs)) || changedAtMs

type QuestionProps = ReturnType<typeof useAsked> & {
  lead: Lead
  nowMs: number
  onAccept: (tries: readonly Try[]) => void
  onEdit: (tries: readonly Try[]) => void
}

function Question({ what, ...rest }: QuestionProps) {
  if (what === 'decide') return <Decide what={what} {...rest} />
  if (what === 'confirm') return <Confirm what={what} {...rest} />
  return <Propose what={what} {...rest} />
}

function Propose({ lead, nowMs, sinceMs, templates, hours, leave, onAccept, onEdit }: QuestionProps) {
  // State, so that the proposed steps keep their operation ids while the strip is shown.
  const [tries] = useState(() => proposeTries(lead, { templates, hours, nowMs, newId: newOperationId }))
  return (
    <>
      {sinceMs !== null && <Line>{silentWords(nameOf(lead), sinceMs, nowMs)}</Line>}
      <Strip title={NEXT_TRIES} words={timesOf(tries, nowMs)} onLeave={leave}>
        <button type="button" className="try-choice" data-main onClick={() => onAccept(tries)}>
          <Icon of={Check} size={18} />
          {acceptWords(tries.length)}
        </button>
        <button type="button" className="try-choice" onClick={() => editor.open(() => onEdit(tries))}>
          Editar
        </button>
        <button type="button" className="try-choice" onClick={() => void declinePlan(lead).catch(failed)}>
          Não tentar
        </button>
      </Strip>
    </>
  )
}

/** Moves overdue steps to the next days, one a day from tomorrow on. */
function futureOf({ steps }: LeadPlan, { hours, nowMs }: Pick<QuestionProps, 'hours' | 'nowMs'>): Try[] {
  let beforeMs = nowMs
  return steps.filter(isOpenStep).map((step) => {
    const isOver = step.dueAtMs <= nowMs
    beforeMs = isOver ? moveIntoHours(beforeMs + ASK_AFTER_MS, { hours, beforeMs }) : step.dueAtMs
    return { ...step, dueAtMs: beforeMs }
  })
}

function Confirm({ lead, nowMs, plan, hours, onAccept, onEdit }: QuestionProps) {
  if (!plan) return null
  const tries = futureOf(plan, { hours, nowMs })
  return (
    <Strip title={`${PLAN} de quem atendia antes`} words={timesOf(tries, nowMs)}>
      <button type="button" className="try-choice" data-main onClick={() => onAccept(tries)}>
        <Icon of={Check} size={18} />
        Confirmar
      </button>
      <button type="button" className="try-choice" onClick={() => editor.open(() => onEdit(tries))}>
        Editar
      </button>
      <button type="button" className="try-choice" onClick={() => void stopPlan(lead, plan).catch(failed)}>
        Parar
      </button>
    </Strip>
  )
}

function Decide({ lead, nowMs, plan, hours, onEdit }: QuestionProps) {
  const stages = useKnownStages(lead.instanceName)
  const move = useStageMove(stages)
  if (!plan) return null
  const archive = stages.find(({ slug }) => slug === 'arquivado')
  const more = () => onEdit([oneMore([], { hours, nowMs, newId: newOperationId })])
  return (
    <Strip title={PLAN} words={noAnswerWords(plan.steps.length)}>
      {archive && (
        <button type="button" className="try-choice" data-main onClick={() => move(lead, archive.slug)}>
          Arquivar
        </button>
      )}
      <button type="button" className="try-choice" onClick={() => editor.open(more)}>
        Mais uma
      </button>
      <button type="button" className="try-choice" onClick={() => void stopPlan(lead, plan).catch(failed)}>
        Deixar
      </button>
    </Strip>
  )
}

/** A line of text below the last message. */
function Line({ onEdit, children }: { onEdit?: () => void; children: ReactNode }) {
  return (
    <div className="flex items-center justify-center gap-1.5 bg-chat-bg px-3.5 pb-3 text-13 text-text-2">
      <Icon of={onEdit ? Repeat : Hourglass} size={14} />
      {children}
      {onEdit && (
        <button type="button" onClick={onEdit} className="-my-3 min-h-11 px-2 font-semibold text-primary">
          Editar
        </button>
      )}
    </div>
  )
}

type StripProps = { title: string; words: string; onLeave?: () => void; children: ReactNode }

function Strip({ title, words, onLeave, children }: StripProps) {
  return (
    <section aria-label={title} className="animate-rise border-t border-border px-3 pt-1 pb-1 short:hidden">
      <div className="flex min-h-11 items-center gap-1.5 text-13 font-medium text-text-2">
        <Icon of={Repeat} size={16} />
        <span className="grow">{title}</span>
        {onLeave && <IconButton icon={X} label="Agora não" onClick={onLeave} />}
      </div>
      <p className="px-0.5 pb-2.5 text-16 font-medium tabular-nums">{words}</p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </section>
  )
}

function Saved({ said: { words, takeBack }, onUndo }: { said: Said; onUndo: () => void }) {
  const undo = () => {
    onUndo()
    takeBack().catch(failed)
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
