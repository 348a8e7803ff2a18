// The rows of leads that wait for a first response: each shows the lead, its wait, and what to do about it.
import { useMutation } from '@tanstack/react-query'
import { Timer } from 'lucide-react'
import { displayName, NO_BROKER } from '#domain/broker.ts'
import { calendarDay, formatDate, formatHour } from '#domain/format.ts'
import { spanWords } from '#domain/lead/path.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import type { Column } from '#ui/primitives/table.tsx'
import { type WaitingLead, warnBroker } from './data.ts'
import { LEAD_COLUMN } from './lead-cell.tsx'

const passLabel = (name: string) => `Passar ${name} para outro corretor`

const warnLabel = (name: string) => `Avisar o corretor de ${name}`

const WARN = 'Avisar'

/** Formats the time between two moments, for example '+ 4 s'. */
const gapText = (fromMs: number, toMs: number | null) =>
  toMs === null ? '–' : `+ ${spanWords(Math.max(0, Math.round((toMs - fromMs) / 1000)))}`

/** A lead to transfer. Its `instanceName` is '' if the lead has no broker. */
export type PassedLead = { id: number; name: string | null; number: string | null; instanceName: string }

/** Starts the transfer of a lead, on this page. */
export type OnPass = (lead: PassedLead) => void

const secondsSince = (ms: number, nowMs: number) => Math.max(0, Math.floor((nowMs - ms) / 1000))

/**
 * A wait is red from twice the target on. The number beside the colour tells the same to those who do not see colours.
 */
function toneOf({ dueAtMs, twiceAtMs }: WaitingLead, nowMs: number) {
  if (twiceAtMs !== null && nowMs >= twiceAtMs) return 'danger' as const
  return dueAtMs !== null && nowMs >= dueAtMs ? ('warning' as const) : ('neutral' as const)
}

type DeedProps = { lead: WaitingLead; nowMs: number; onPass: OnPass }

/**
 * The row's button: it reminds the broker until the wait reaches twice the target. From then on, or if the lead has no
 * broker, it transfers the lead.
 */
function Deed({ lead, nowMs, onPass }: DeedProps) {
  const { mutate, isPending } = useMutation({
    ...warnBroker(),
    onError: (error) => toast(error.message || 'Não foi possível avisar.', 'error'),
  })
  const { id, name, number, broker } = lead
  if (broker === null || toneOf(lead, nowMs) === 'danger')
    return (
      <Button
        variant="soft"
        size="small"
        aria-label={passLabel(leadTitle(lead))}
        onClick={() => onPass({ id, name, number, instanceName: broker ?? NO_BROKER })}
      >
        Passar
      </Button>
    )
  if (lead.warnedAtMs !== null)
    return (
      <span className="text-13 text-text-3">{`Avisado há ${spanWords(Math.max(0, Math.floor((nowMs - lead.warnedAtMs) / 1000)))}`}</span>
    )
  return (
    <Button
      variant="line"
      size="small"
      busy={isPending && WARN}
      aria-label={warnLabel(leadTitle(lead))}
      onClick={() => mutate(id)}
    >
      {WARN}
    </Button>
  )
}

/** Tells when the lead arrived: '20:44', or on another day than today '19/11 20:44'. */
const arrivedWords = (ms: number, nowMs: number) =>
  calendarDay(ms) === calendarDay(nowMs) ? formatHour(ms) : `${formatDate(ms).slice(0, 5)} ${formatHour(ms)}`

export function riskColumns(nowMs: number, onPass: OnPass): Column<WaitingLead>[] {
  return [
    LEAD_COLUMN,
    { title: 'Corretor', cell: ({ broker }) => (broker === null ? '–' : displayName(broker)) },
    { title: 'Recebido', isNumber: true, cell: ({ receivedAtMs }) => arrivedWords(receivedAtMs, nowMs) },
    {
      title: 'Oferecido',
      isNumber: true,
      cell: ({ receivedAtMs, offeredAtMs }) => gapText(receivedAtMs, offeredAtMs),
    },
    {
      title: 'Aceito',
      isNumber: true,
      cell: ({ receivedAtMs, offeredAtMs, acceptedAtMs }) =>
        gapText(offeredAtMs ?? receivedAtMs, acceptedAtMs),
    },
    {
      title: 'Espera',
      place: 'mark',
      isNumber: true,
      cell: (lead) => (
        <>
          <Badge tone={toneOf(lead, nowMs)}>
            <Icon of={Timer} size={16} className="mr-1" />
            {spanWords(secondsSince(lead.receivedAtMs, nowMs))}
          </Badge>
          {/* Outside working hours the lead's wait does not count towards the target. */}
          {!lead.isOpen && toneOf(lead, nowMs) === 'neutral' && (
            <span className="block pt-0.5 text-13 text-text-3">fora do horário</span>
          )}
        </>
      ),
    },
    {
      title: 'O que fazer',
      place: 'words',
      isNumber: true,
      // `z-1` lifts the button above the row's own press area.
      cell: (lead) => (
        <span className="relative z-1 inline-flex">
          <Deed lead={lead} nowMs={nowMs} onPass={onPass} />
        </span>
      ),
    },
  ]
}
