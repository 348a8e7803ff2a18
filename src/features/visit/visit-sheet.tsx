// 'Agendar visita': chooses day, hour and place, and previews the messages to the lead. If the lead has a coming visit,
// the sheet moves it.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { settingsQuery } from '#data/campaign-rules.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { useBoard } from '#data/board/leads.ts'
import { bookVisit, mayBeConfirmed, takenHours, visitSetupQuery } from '#data/visits.ts'
import { nextOpening } from '#domain/campaign.ts'
import { calendarDay, TIME_ZONE } from '#domain/format.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import type { NextAction } from '#domain/next-action/next-action.ts'
import {
  confirmText,
  isUnanswered,
  meetsAny,
  reminderOf,
  reminderText,
  USUAL_WEEK,
  visitWords,
} from '#domain/next-action/visit.ts'
import '#ui/primitives/overlay/dialog-foot.css'
import { toast } from '#ui/feedback/toast.ts'
import { TextField } from '#ui/forms/field.tsx'
import { useNow } from '#ui/now.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { askToTell } from './undone-visit.ts'
import { firstNameOf, takenWords } from './texts.ts'
import { NoticeText } from './notice-text.tsx'
import { useVisitTime, VisitTime } from './visit-time.tsx'

const BOOK_VISIT = 'Agendar visita'
const MOVE_VISIT = 'Remarcar visita'

const MAX_PLACE = 200

type VisitSheetProps = {
  instanceName: string
  /** The lead for whom a visit is booked; undefined while the sheet is closed. */
  leadId: number | undefined
  /** True if a past visit without an outcome may be moved as well. */
  isMoved?: boolean
  /** The action that the visit replaces. If undefined and the lead has a coming visit, the sheet moves that visit. */
  instead?: NextAction | undefined
  onClose: () => void
}

export function VisitSheet({ instanceName, leadId, isMoved = false, instead, onClose }: VisitSheetProps) {
  const { board } = useBoard(instanceName)
  const lead = leadId === undefined ? undefined : board?.leads.get(leadId)
  // The closing animation still shows this lead, so that its text does not vanish at once.
  const [last, setLast] = useState(lead)
  if (lead && lead !== last) setLast(lead)
  const nowMs = useNow()
  const [isAnother, setAnother] = useState(false)
  if (leadId === undefined && isAnother) setAnother(false)
  if (!last) return null
  const visits = isAnother || instead ? [] : last.next.filter(({ kind }) => kind === 'visit')
  const before = visits.find((visit) => isMoved || !isUnanswered(visit, nowMs)) ?? null
  return (
    <Dialog
      isOpen={lead !== undefined}
      onClose={onClose}
      title={before ? MOVE_VISIT : BOOK_VISIT}
      subtitle={leadTitle(last)}
      lead={<Avatar name={last.name} pictureUrl={last.pictureUrl} size={36} />}
    >
      {lead && (
        <VisitForm
          key={`${lead.id} ${isAnother}`}
          lead={lead}
          before={before}
          instead={instead ?? null}
          taken={takenHours(board, before)}
          onAnother={() => setAnother(true)}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

type VisitFormProps = {
  lead: Lead
  before: NextAction | null
  instead: NextAction | null
  taken: readonly number[]
  /** Books one more visit, beside the one that is still to come. */
  onAnother: () => void
  onClose: () => void
}

function VisitForm({ lead, before, instead, taken, onAnother, onClose }: VisitFormProps) {
  const nowMs = useNow()
  const isOnline = useIsOnline()
  const hintId = useId()
  const { data: setup } = useQuery(visitSetupQuery(lead.instanceName))
  const time = useVisitTime({
    week: setup?.week ?? USUAL_WEEK,
    taken,
    firstDay: calendarDay(nowMs),
    beforeMs: before?.dueAtMs ?? null,
  })
  const { startsAtMs } = time
  const [place, setPlace] = useState(before?.note ?? (lead.development ? `Estande ${lead.development}` : ''))
  const notice = useNotice(lead, startsAtMs, place.trim())
  const isSame = before !== null && startsAtMs === before.dueAtMs && place.trim() === before.note
  const isFree = startsAtMs !== null && startsAtMs > nowMs && !meetsAny(startsAtMs, taken) && !isSame
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (startsAtMs === null || !isFree) return
    onClose()
    const wanted = { startsAtMs, place: place.trim(), ...notice.wanted }
    bookVisit(lead, wanted, before ?? instead).then((takeBack) => {
      const words = `Visita ${before ? 'remarcada' : 'marcada'} para ${visitWords(startsAtMs)}`
      const run = async () => {
        const undone = await takeBack()
        if (undone && wanted.confirmText !== null && (await mayBeConfirmed(undone)))
          askToTell(lead, { wanted, before })
      }
      const undo = { label: 'Desfazer', run: () => void run().catch(failed) }
      toast(words, 'success', { spoken: `${words}.`, action: undo })
    }, failed)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 px-3 pt-1">
      {before && <Booked visit={before} onAnother={onAnother} />}
      <VisitTime time={time} />
      {startsAtMs !== null && meetsAny(startsAtMs, taken) && (
        <output className="text-14 text-warning">{takenWords([startsAtMs])}</output>
      )}
      <TextField
        label="Lugar"
        placeholder="Onde vocês se encontram"
        value={place}
        maxLength={MAX_PLACE}
        onChange={({ target }) => setPlace(target.value)}
      />
      {startsAtMs !== null && (
        <div className="-mx-3 divide-y divide-border border-y border-border">
          <NoticeText {...notice.confirmation} />
          <NoticeText {...notice.reminder} />
        </div>
      )}
      {!isOnline && (
        <p id={hintId} className="text-14 text-text-2">
          Fica na fila. A confirmação sai quando a internet voltar.
        </p>
      )}
      {/* Placed so that it is visible without scrolling, because it tells what is chosen. */}
      <div className="dialog-foot -mx-3 flex flex-col px-3">
        <Button
          type="submit"
          size="large"
          disabled={!isFree}
          aria-describedby={isOnline ? undefined : hintId}
        >
          {buttonWords(before !== null, isSame ? null : startsAtMs)}
        </Button>
      </div>
    </form>
  )
}

function buttonWords(isMove: boolean, startsAtMs: number | null): string {
  if (startsAtMs === null) return isMove ? MOVE_VISIT : BOOK_VISIT
  return `${isMove ? 'Remarcar' : 'Agendar'} para ${visitWords(startsAtMs)}`
}

/** Tells which visit will be moved. If that visit is still to come, offers to book another one as well. */
function Booked({ visit, onAnother }: { visit: NextAction; onAnother: () => void }) {
  const isOver = isUnanswered(visit, useNow())
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 rounded-lg bg-surface-2 px-4">
      <p className="py-3 text-14 text-text-2">
        {`${isOver ? 'Era' : 'Já marcada:'} ${visitWords(visit.dueAtMs)}`}
      </p>
      {!isOver && (
        <button
          type="button"
          onClick={onAnother}
          className="min-h-11 rounded-md text-14 font-semibold text-primary"
        >
          Marcar outra
        </button>
      )}
    </div>
  )
}

const failed = () => toast('Não foi possível marcar a visita.', 'error')

/**
 * Returns the messages to the lead, now and before the visit: a preview of each text. They are off if they may not be
 * sent.
 */
function useNotice(lead: Lead, startsAtMs: number | null, place: string) {
  const nowMs = useNow()
  const { data: policy } = useQuery(settingsQuery())
  const [isConfirmed, setConfirmed] = useState(true)
  const [isReminded, setReminded] = useState(true)
  const [confirmWords, setConfirmWords] = useState<string | null>(null)
  const [remindWords, setRemindWords] = useState<string | null>(null)
  const start = startsAtMs ?? nowMs
  const about = { firstName: firstNameOf(lead), startsAtMs: start, place }
  const reminder = reminderOf(start, nowMs)
  const isOutside = policy !== undefined && nextOpening(policy, nowMs, TIME_ZONE) > nowMs
  const leftAlone = lead.isOptedOut ? 'Pediu para não receber mensagens.' : null
  const confirmation = {
    label: 'Confirmar agora',
    name: 'Confirmação',
    reason: leftAlone ?? (isOutside ? 'Fora do horário permitido.' : null),
    isOn: isConfirmed,
    onChange: setConfirmed,
    text: confirmWords ?? confirmText(about),
    onText: setConfirmWords,
  }
  const reminding = {
    label: reminder?.isEve === true ? 'Lembrar na véspera' : 'Lembrar 2 h antes',
    name: 'Lembrete',
    atMs: reminder?.atMs,
    reason: leftAlone ?? (reminder ? null : 'Falta menos de 2 horas.'),
    isOn: isReminded,
    onChange: setReminded,
    text: remindWords ?? reminderText(about, reminder?.isEve ?? true),
    onText: setRemindWords,
  }
  return {
    confirmation,
    reminder: reminding,
    wanted: {
      confirmText: isConfirmed && confirmation.reason === null ? confirmation.text : null,
      reminder:
        isReminded && reminding.reason === null && reminder
          ? { text: reminding.text, atMs: reminder.atMs }
          : null,
    },
  }
}
