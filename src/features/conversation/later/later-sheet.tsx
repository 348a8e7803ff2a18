// 'Enviar depois': the text, its time, and whether it is still sent if the lead writes first.
import { useQuery } from '@tanstack/react-query'
import { Calendar, CalendarClock, type LucideIcon, Sun, Sunrise } from 'lucide-react'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { settingsQuery } from '#data/campaign-rules.ts'
import { scheduleText } from '../ground/scheduled-data.ts'
import { nextOpening } from '#domain/campaign.ts'
import { TIME_ZONE } from '#domain/format.ts'
import type { Later } from '#domain/next-action/later.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { MAX_TEXT } from '#domain/message/outgoing.ts'
import { fromField, toField } from '#domain/zone.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Switch } from '#ui/forms/switch.tsx'
import { MomentField } from '#ui/forms/moment-field.tsx'
import { useNow } from '#ui/now.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { type LaterChoice, laterChoices } from './later-choices.ts'
import { commaMoment, SCHEDULE_FAILED, SEND_LATER } from './texts.ts'

const onlyIfSilentHint = (name: string) => `Se ${name} escrever, a mensagem não sai e você é avisado.`

const forWhom = (name: string) => `Para ${name}`

type LaterSheetProps = {
  lead: Lead
  isOpen: boolean
  /** The initial text: from the message box, or of the scheduled message that the broker edits. */
  text: string
  /** The scheduled message to replace; undefined if the form writes a new one. */
  before?: Later | undefined
  onClose: () => void
  /** Called once the device has stored the scheduled text. */
  onDone: () => void
}

export function LaterSheet({ lead, isOpen, onClose, ...rest }: LaterSheetProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={SEND_LATER} subtitle={forWhom(leadTitle(lead))}>
      {isOpen && <LaterForm lead={lead} onClose={onClose} {...rest} />}
    </Dialog>
  )
}

const ICONS: Record<LaterChoice['kind'], LucideIcon> = { today: Sun, tomorrow: Sunrise, monday: Calendar }

function LaterForm({ lead, text: given, before, onClose, onDone }: Omit<LaterSheetProps, 'isOpen'>) {
  const nowMs = useNow()
  const [text, setText] = useState(given)
  const [dueAtMs, setDue] = useState<number | null>(
    () => before?.dueAtMs ?? laterChoices(nowMs).find(({ kind }) => kind === 'tomorrow')?.dueAtMs ?? null,
  )
  const [unlessAnswered, setUnless] = useState(before?.unlessAnswered ?? true)
  const { data: policy } = useQuery(settingsQuery())
  const opensAtMs = dueAtMs !== null && policy ? nextOpening(policy, dueAtMs, TIME_ZONE) : dueAtMs
  const isReady = text.trim() !== '' && dueAtMs !== null && dueAtMs > nowMs
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady || opensAtMs === null) return
    onClose()
    scheduleText(lead, { text: text.trim(), dueAtMs, unlessAnswered }, before ?? null).then((takeBack) => {
      onDone()
      showDone(`Mensagem agendada para ${commaMoment(opensAtMs, nowMs)}`, before ? null : takeBack)
    }, failed)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 px-3 pt-1">
      <div className="rounded-card bg-chat-bg p-2.5">
        <textarea
          aria-label="Mensagem"
          placeholder="Escreva a mensagem"
          value={text}
          maxLength={MAX_TEXT}
          rows={2}
          onChange={({ target }) => setText(target.value)}
          className="block field-sizing-content max-h-40 w-full resize-none rounded-card rounded-br-sm bg-bubble-out px-3 py-2 text-16 leading-message text-on-bubble-out placeholder:text-text-2 lg:text-15"
        />
      </div>
      <Times dueAtMs={dueAtMs} isTyped={before !== undefined} onDue={setDue} />
      {opensAtMs !== null && opensAtMs !== dueAtMs && (
        <output className="px-1 text-14 text-warning">{`Sai ${commaMoment(opensAtMs, nowMs)}: fora do horário permitido.`}</output>
      )}
      <div className="-mx-3 border-t border-border pt-1">
        <Switch
          label="Só se ele não responder antes"
          hint={onlyIfSilentHint(leadTitle(lead).split(' ')[0] ?? '')}
          isOn={unlessAnswered}
          onChange={setUnless}
        />
      </div>
      <Button type="submit" size="large" disabled={!isReady}>
        {opensAtMs === null ? SEND_LATER : `Agendar para ${commaMoment(opensAtMs, nowMs)}`}
      </Button>
    </form>
  )
}

const failed = () => toast(SCHEDULE_FAILED, 'error')

function showDone(words: string, takeBack: (() => Promise<void>) | null) {
  const undo = takeBack && { label: 'Desfazer', run: () => void takeBack().catch(failed) }
  toast(words, 'success', { spoken: `${words}.`, ...(undo && { action: undo }) })
}

type TimesProps = {
  dueAtMs: number | null
  /** True if the broker typed the time instead of choosing a suggestion. */
  isTyped: boolean
  onDue: (dueAtMs: number | null) => void
}

function Times({ dueAtMs, isTyped, onDue }: TimesProps) {
  const nowMs = useNow()
  const name = useId()
  const [choices] = useState(() => laterChoices(nowMs))
  const [typed, setTyped] = useState(() => (isTyped && dueAtMs !== null ? toField(dueAtMs) : null))
  const type = (value: string) => {
    setTyped(value)
    onDue(fromField(value))
  }
  return (
    <>
      <fieldset className="flex flex-col">
        <legend className="sr-only">Quando</legend>
        {choices.map((choice) => (
          <Choice
            key={choice.kind}
            name={name}
            icon={ICONS[choice.kind]}
            isChosen={typed === null && choice.dueAtMs === dueAtMs}
            onChoose={() => {
              setTyped(null)
              onDue(choice.dueAtMs)
            }}
            side={commaMoment(choice.dueAtMs, nowMs)}
          >
            {choice.label}
          </Choice>
        ))}
        <Choice
          name={name}
          icon={CalendarClock}
          isChosen={typed !== null}
          onChoose={() => type(dueAtMs === null ? '' : toField(dueAtMs))}
        >
          Escolher dia e hora
        </Choice>
      </fieldset>
      {typed !== null && <MomentField label="Dia e hora" value={typed} onType={type} />}
    </>
  )
}

type ChoiceProps = {
  name: string
  icon: LucideIcon
  isChosen: boolean
  onChoose: () => void
  side?: string
  children: ReactNode
}

function Choice({ name, icon, isChosen, onChoose, side, children }: ChoiceProps) {
  return (
    <label className="flex min-h-13 cursor-pointer items-center gap-3.5 rounded-lg px-3 text-16 has-checked:bg-primary-soft has-checked:font-semibold has-checked:text-on-primary-soft has-focus-visible:shadow-focus">
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} className="sr-only" />
      <Icon of={icon} size={20} />
      <span className="grow">{children}</span>
      {side && <span className="text-14 font-normal text-text-2 tabular-nums">{side}</span>}
    </label>
  )
}
