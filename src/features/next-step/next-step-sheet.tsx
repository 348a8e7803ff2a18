// The sheet of a lead's next step: finish, postpone, change or remove it. Without a next step, it chooses one.
import './next-step.css'
import {
  CheckCircle2,
  ChevronRight,
  Clock3,
  type LucideIcon,
  MessageCircleOff,
  Pencil,
  Sunrise,
  Trash2,
} from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { useBoard } from '#data/board/leads.ts'
import { idByNow } from '#data/pending.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import type { ActionKind, NextAction } from '#domain/next-action/next-action.ts'
import { isToCome } from '#domain/next-action/visit.ts'
import { actionWords, momentWords, snoozesAt } from '#domain/next-action/words.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { useNow } from '#ui/now.ts'
import { StepForm } from './step-form.tsx'
import { NEXT_STEP } from './texts.ts'
import { finish, putOff, quiet, remove, save } from './use-deeds.ts'

const snoozeTo = (when: string) => when.charAt(0).toUpperCase() + when.slice(1)

/** The page gives the sheet these parts of the feature `visit`. */
type Visits = {
  /** Asks for the outcome of a visit whose hour has come. */
  Outcome: ComponentType<OutcomeProps>
  /** Opens a lead's conversation. */
  onOpen: (leadId: number) => void
  onMove: (leadId: number) => void
  /** Opens the booking of a visit, which replaces this action. */
  onInstead: (leadId: number, instead: NextAction) => void
  /** Called after a coming visit was removed: asks the broker whether to tell the lead. */
  onRemoved: (lead: Lead, visit: NextAction) => void
}
type OutcomeProps = Pick<Visits, 'onOpen' | 'onMove'> & { lead: Lead; onEnd: () => void }

type NextStepSheetProps = {
  instanceName: string
  /** The lead whose sheet is open; undefined while it is closed. */
  leadId: number | undefined
  visits: Visits
  onClose: () => void
}

export function NextStepSheet({ instanceName, leadId, ...rest }: NextStepSheetProps) {
  const { board } = useBoard(instanceName)
  return (
    <NextStepDialog
      lead={leadId === undefined ? undefined : board?.leads.get(idByNow(leadId))}
      kind="call"
      {...rest}
      onVisit={rest.visits.onMove}
    />
  )
}

type NextStepDialogProps = {
  /** The shown lead; undefined while the sheet is closed. */
  lead: Lead | undefined
  /** Which kind the form proposes for a lead without a next step. */
  kind: ActionKind
  /** Undefined where no visit can be booked. */
  visits?: Visits
  /** Opens the booking of a visit, which chooses a free hour and a place, and writes to the lead. */
  onVisit: (leadId: number) => void
  onClose: () => void
}

export function NextStepDialog({ lead, ...rest }: NextStepDialogProps) {
  const { onClose } = rest
  // The closing animation still shows this lead, so that its text does not vanish at once.
  const [last, setLast] = useState(lead)
  if (lead && lead !== last) setLast(lead)
  if (!last) return null
  return (
    <Dialog
      isOpen={lead !== undefined}
      onClose={onClose}
      title={NEXT_STEP}
      subtitle={leadTitle(last)}
      lead={<Avatar name={last.name} pictureUrl={last.pictureUrl} size={36} />}
    >
      {lead && <Inside lead={lead} {...rest} />}
    </Dialog>
  )
}

type InsideProps = NextStepDialogProps & { lead: Lead }

const keyOf = ({ id, operationId }: NextAction) => String(id ?? operationId)

/** If the lead has several next steps, the sheet first asks for which one it was opened. */
function Inside(props: InsideProps) {
  const nowMs = useNow()
  const [chosen, setChosen] = useState<string>()
  const { next } = props.lead
  const action = next.length > 1 ? next.find((one) => keyOf(one) === chosen) : (next[0] ?? null)
  if (action !== undefined) return <Step action={action} {...props} />
  return next.map((one) => (
    <button
      key={keyOf(one)}
      type="button"
      onClick={() => setChosen(keyOf(one))}
      className="flex min-h-14 w-full items-center gap-3 rounded-lg px-4 py-1.5 text-left text-16 transition-colors hover:bg-surface-2"
    >
      <span className="min-w-0 grow font-semibold">
        {actionWords(one, nowMs)}
        {one.note && <span className="block truncate text-14 font-regular text-text-2">{one.note}</span>}
      </span>
      <Icon of={ChevronRight} size={20} className="text-text-3" />
    </button>
  ))
}

type StepProps = InsideProps & { action: NextAction | null }

function Step({ lead, action, kind, visits, onVisit, onClose }: StepProps) {
  const nowMs = useNow()
  const [isChanging, setChanging] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const done = (deed: () => void) => () => {
    onClose()
    deed()
  }
  if (visits && isAsking) {
    const { Outcome, onOpen, onMove } = visits
    return (
      <div className="px-2 pt-1">
        <Outcome {...{ lead, onOpen, onMove }} onEnd={onClose} />
      </div>
    )
  }
  if (!action || isChanging)
    return (
      <>
        {!action && lead.waitingSinceMs !== null && (
          <Row icon={MessageCircleOff} onPress={done(() => quiet(lead))}>
            Não precisa de resposta
          </Row>
        )}
        <StepForm
          before={action}
          kind={kind}
          onVisit={() => (action && visits ? visits.onInstead(lead.id, action) : onVisit(lead.id))}
          onSave={(wanted) => done(() => save(lead, wanted, action))()}
        />
      </>
    )
  const { hourMs, tomorrowMs } = snoozesAt(nowMs)
  // A visit is finished by choosing its outcome, and only after its hour has come.
  const isAsked = visits && action.kind === 'visit'
  const removeStep = () => {
    remove(lead, action)
    if (isAsked && isToCome(action, nowMs)) visits.onRemoved(lead, action)
  }
  const change = visits && action.kind === 'visit' ? () => visits.onMove(lead.id) : () => setChanging(true)
  return (
    <>
      <p className="px-4 pb-2 text-16 font-semibold">{actionWords(action, nowMs)}</p>
      {action.note !== '' && <p className="px-4 pb-2 text-15 wrap-anywhere text-text-2">{action.note}</p>}
      {!isToCome(action, nowMs) && (
        <Row icon={CheckCircle2} onPress={isAsked ? () => setAsking(true) : done(() => finish(lead, action))}>
          Concluir
        </Row>
      )}
      {/* Moved in the visits' own sheet, because the new hour must be free and the lead gets a message. */}
      {!isAsked && (
        <>
          <Row icon={Clock3} onPress={done(() => putOff(lead, action, hourMs))}>
            Adiar 1 h
          </Row>
          <Row icon={Sunrise} onPress={done(() => putOff(lead, action, tomorrowMs))}>
            {snoozeTo(momentWords(tomorrowMs, nowMs))}
          </Row>
        </>
      )}
      <Row icon={Pencil} onPress={change}>
        {isAsked ? 'Remarcar' : 'Mudar'}
      </Row>
      <Row icon={Trash2} isDanger onPress={done(removeStep)}>
        Excluir
      </Row>
    </>
  )
}

type RowProps = { icon: LucideIcon; onPress: () => void; isDanger?: boolean; children: string }

function Row({ icon, onPress, isDanger, children }: RowProps) {
  return (
    <button
      type="button"
      onClick={onPress}
      className={classNames(
        'flex min-h-13 w-full items-center gap-3.5 rounded-lg px-4 text-left text-16 transition-colors hover:bg-surface-2',
        isDanger && 'text-danger',
      )}
    >
      <Icon of={icon} size={20} className="text-text-3" />
      {children}
    </button>
  )
}
