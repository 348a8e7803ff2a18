// A visit whose hour was taken meanwhile. It offers the free hours closest to the wanted one.
import { useQuery } from '@tanstack/react-query'
import { useBoard } from '#data/board/leads.ts'
import { rebookVisit, takenHours, visitSetupQuery } from '#data/visits.ts'
import type { Command, Entry } from '#domain/outbox/command.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { freeHoursNear, USUAL_WEEK, visitWords } from '#domain/next-action/visit.ts'
import { Button } from '#ui/primitives/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { useNow } from '#ui/now.ts'
import { askToDiscard } from './discarding.ts'
import { DISCARD } from './texts.ts'
import { EntryHead } from './entry-row.tsx'

export type RefusedBooking = Extract<Command, { kind: 'visit.save' }>

export function RefusedVisit({ entry, command }: { entry: Entry; command: RefusedBooking }) {
  const { lead, given } = command
  const instanceName = lead.instanceName ?? ''
  const { board } = useBoard(instanceName)
  const { data: setup } = useQuery(visitSetupQuery(instanceName))
  const nowMs = useNow()
  const wantedMs = Date.parse(given.startsAt)
  const taken = [...takenHours(board, null), wantedMs]
  const hours = freeHoursNear(wantedMs, { week: setup?.week ?? USUAL_WEEK, taken, nowMs })
  const book = (startsAtMs: number) =>
    rebookVisit(entry, command, { startsAtMs, nowMs }).then(
      () => toast(`Visita marcada para ${visitWords(startsAtMs)}`, 'success'),
      () => toast('Não foi possível marcar a visita.', 'error'),
    )
  return (
    <>
      <EntryHead entry={entry} title={`Visita com ${leadTitle(lead)}`} />
      <p className="mt-1 text-14 leading-body text-text-2">
        {`A visita não foi marcada: esse horário foi ocupado (${visitWords(wantedMs)}).${hours.length > 0 ? ' Horários livres:' : ''}`}
      </p>
      <div className="mt-3 grid grid-cols-[repeat(auto-fit,minmax(min(100%,10.5rem),1fr))] gap-2">
        {hours.map((startsAtMs) => (
          <Button key={startsAtMs} variant="soft" onClick={() => void book(startsAtMs)}>
            {visitWords(startsAtMs)}
          </Button>
        ))}
        <Button variant="line" onClick={() => askToDiscard(entry)}>
          {DISCARD}
        </Button>
      </div>
    </>
  )
}
