// 'Plano de tentativas' on the lead's sheet: its steps, and how to change or stop it.
import './plan.css'
import { Pencil } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import { momentWords, pastWords } from '#domain/next-action/words.ts'
import { isOpenStep, type LeadPlan, type PlanStep, type Try } from '#domain/plan/plan.ts'
import { toast } from '#ui/feedback/toast.ts'
import { lazily } from '#ui/lazily.ts'
import { useNow } from '#ui/now.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { startPlan, stopPlan, usePlan } from './data.ts'
import { doneWords, nameOf, PLAN, SAVE_FAILED, stepDetail, STOPS_ITSELF, TRY_LABEL, UNDO } from './texts.ts'

const editor = lazily(async () => (await import('./plan-editor.tsx')).PlanEditor)

const failed = () => toast(SAVE_FAILED, 'error')

export function PlanCard({ lead }: { lead: Lead }) {
  const { plan, hours } = usePlan(lead)
  const [edited, setEdited] = useState<readonly Try[] | null>(null)
  if (!plan || plan.state === 'ended') return null
  const save = (tries: readonly Try[], asDefault: boolean) => {
    startPlan(lead, tries, { asDefault, plan }).then(() => toast('Plano salvo', 'success'), failed)
  }
  const stop = () => {
    const hasOpen = plan.steps.some(isOpenStep)
    stopPlan(lead, plan).then((takeBack) => {
      const undo = { label: UNDO, run: () => void takeBack().catch(failed) }
      toast(`Plano com ${nameOf(lead)} parado`, 'success', hasOpen ? { action: undo } : {})
    }, failed)
  }
  const edit = () => editor.open(() => setEdited(plan.steps.filter(isOpenStep)))
  return (
    <>
      <Card plan={plan} onEdit={edit} onStop={stop} />
      <Suspense>
        {edited && (
          <editor.Component
            {...{ lead, hours }}
            first={edited}
            isStarted
            onSave={save}
            onClose={() => setEdited(null)}
          />
        )}
      </Suspense>
    </>
  )
}

type CardProps = { plan: LeadPlan; onEdit: () => void; onStop: () => void }

function Card({ plan: { steps, state }, onEdit, onStop }: CardProps) {
  const nowMs = useNow()
  const done = steps.filter((step) => !isOpenStep(step)).length
  return (
    <section aria-label={PLAN} className="rounded-card border border-border px-3.5 pt-3.5">
      <div className="flex items-center gap-2 pb-3">
        <h3 className="grow text-16 font-semibold">{PLAN}</h3>
        <span className="rounded-full bg-primary-soft px-3 py-1 text-13 font-medium text-on-primary-soft">
          {doneWords(done, steps.length)}
        </span>
      </div>
      <ol>
        {steps.map((step, at) => (
          <Step
            key={step.operationId}
            step={step}
            isLast={at === steps.length - 1}
            nowMs={nowMs}
            onEdit={onEdit}
          />
        ))}
      </ol>
      <div className="try-foot">
        <span className="grow text-13 text-text-2">
          {state === 'asking' ? 'Espera você confirmar.' : STOPS_ITSELF}
        </span>
        <button type="button" onClick={onEdit} className="min-h-11 px-2.5 text-15 font-semibold text-primary">
          Editar
        </button>
        <button type="button" onClick={onStop} className="min-h-11 px-2.5 text-15 font-semibold text-text-2">
          Parar
        </button>
      </div>
    </section>
  )
}

type StepProps = { step: PlanStep; isLast: boolean; nowMs: number; onEdit: () => void }

function Step({ step, isLast, nowMs, onEdit }: StepProps) {
  const { kind, state, dueAtMs, doneAtMs } = step
  const detail = stepDetail(step, isLast)
  const label = TRY_LABEL[kind]
  const tone = state === 'done' ? 'done' : step.why !== null ? 'held' : isLast ? 'last' : 'open'
  if (state === 'done')
    return (
      <li className="try-step text-15 leading-snug" data-state={tone}>
        <p className="text-text-2">
          {label}
          <span className="block text-13 text-text-3">{`${pastWords(doneAtMs ?? dueAtMs, nowMs)} · ${detail}`}</span>
        </p>
      </li>
    )
  const when = momentWords(dueAtMs, nowMs)
  return (
    <li className="try-step text-15 leading-snug" data-state={tone}>
      <p className="min-w-0 grow font-medium">
        {`${label} · ${when}`}
        <span
          className={`block truncate text-13 font-regular ${tone === 'held' ? 'text-warning' : 'text-text-3'}`}
        >
          {detail}
        </span>
      </p>
      <span className="-my-2.5 -mr-2.5">
        <IconButton icon={Pencil} label={`Editar ${label.toLowerCase()} de ${when}`} onClick={onEdit} />
      </span>
    </li>
  )
}
