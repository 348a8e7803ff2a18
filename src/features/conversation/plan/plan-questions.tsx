// The strip's questions about a plan, each with its answers.
import { Check, Repeat, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { isOpenStep, type LeadPlan, type Try } from '#domain/plan/plan.ts'
import { moveIntoHours, oneMore, proposeTries } from '#domain/plan/propose.ts'
import { toast } from '#ui/feedback/toast.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { useStageMove } from '../ground/use-stage-move.ts'
import { declinePlan, stopPlan, useKnownStages } from './data.ts'
import { editor } from './editor.ts'
import { PlanLine } from './plan-line.tsx'
import {
  acceptWords,
  nameOf,
  NEXT_TRIES,
  noAnswerWords,
  PLAN,
  SAVE_FAILED,
  silentWords,
  timesOf,
} from './texts.ts'
import type { useAskedPlan } from './use-asked-plan.ts'

const DAY_MS = 86_400_000

export const planFailed = () => toast(SAVE_FAILED, 'error')

type QuestionProps = ReturnType<typeof useAskedPlan> & {
  lead: Lead
  nowMs: number
  onAccept: (tries: readonly Try[]) => void
  onEdit: (tries: readonly Try[]) => void
}

export function PlanQuestion({ what, ...rest }: QuestionProps) {
  if (what === 'decide') return <Decide what={what} {...rest} />
  if (what === 'confirm') return <Confirm what={what} {...rest} />
  return <Propose what={what} {...rest} />
}

function Propose({ lead, nowMs, sinceMs, templates, hours, leave, onAccept, onEdit }: QuestionProps) {
  // The steps keep their operations while the strip is shown.
  const [tries] = useState(() => proposeTries(lead, { templates, hours, nowMs, newId: newOperationId }))
  return (
    <>
      {sinceMs !== null && <PlanLine>{silentWords(nameOf(lead), sinceMs, nowMs)}</PlanLine>}
      <Strip title={NEXT_TRIES} words={timesOf(tries, nowMs)} onLeave={leave}>
        <button type="button" className="try-choice" data-main onClick={() => onAccept(tries)}>
          <Icon of={Check} size={18} />
          {acceptWords(tries.length)}
        </button>
        <button type="button" className="try-choice" onClick={() => editor.open(() => onEdit(tries))}>
          Editar
        </button>
        <button type="button" className="try-choice" onClick={() => void declinePlan(lead).catch(planFailed)}>
          Não tentar
        </button>
      </Strip>
    </>
  )
}

/** Steps whose time is over begin tomorrow, one a day. */
function futureOf({ steps }: LeadPlan, { hours, nowMs }: Pick<QuestionProps, 'hours' | 'nowMs'>): Try[] {
  let beforeMs = nowMs
  return steps.filter(isOpenStep).map((step) => {
    const isOver = step.dueAtMs <= nowMs
    beforeMs = isOver ? moveIntoHours(beforeMs + DAY_MS, { hours, beforeMs }) : step.dueAtMs
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
      <button
        type="button"
        className="try-choice"
        onClick={() => void stopPlan(lead, plan).catch(planFailed)}
      >
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
      <button
        type="button"
        className="try-choice"
        onClick={() => void stopPlan(lead, plan).catch(planFailed)}
      >
        Deixar
      </button>
    </Strip>
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
