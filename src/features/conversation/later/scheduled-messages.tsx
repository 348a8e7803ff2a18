// Shows a lead's scheduled messages below the conversation: their text, time or error, and actions.
import { spokenHour } from '#domain/format.ts'
import { Clock3 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { scheduleText, unscheduleText, useScheduled, type Worded } from '../ground/scheduled-data.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { toast } from '#ui/feedback/toast.ts'
import { lazily } from '#ui/lazily.ts'
import { useNow } from '#ui/now.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { SCHEDULE_FAILED, commaMoment } from './texts.ts'

const LEAVING = 'Saindo…'
const QUEUED = 'Na fila'
/** Returns the state of a scheduled message, or why it was not sent. */
function statusWords(
  {
    why,
    dueAtMs,
    unlessAnswered,
    changedAtMs,
  }: {
    why: string | null
    dueAtMs: number | null
    unlessAnswered: boolean
    changedAtMs: number | null
  },
  name: string,
  nowMs: number,
): string {
  switch (why) {
    case null:
      if (dueAtMs === null) return LEAVING
      // The time has passed, so the text waits in the send queue, or for a gateway that is down.
      if (dueAtMs < nowMs) return QUEUED
      return `Sai ${commaMoment(dueAtMs, nowMs)}${unlessAnswered ? ', se ele não responder' : ''}`
    case 'answered':
      return changedAtMs === null
        ? `Não saiu: ${name} respondeu antes.`
        : `Não saiu: ${name} respondeu às ${spokenHour(changedAtMs)}.`
    case 'not-linked':
      return 'Espera o WhatsApp conectar'
    case 'late':
      return 'Passou da hora.'
    case 'handed-over':
      return 'Outro corretor escreveu. Você decide se ela sai.'
    case 'restored':
      return 'Pode já ter saído: o portal voltou de uma cópia de segurança.'
    case 'opted-out':
      return 'Não saiu: esta pessoa pediu para não receber mensagens.'
    case 'first-texts':
      return 'Não saiu: este WhatsApp já começou conversas demais hoje.'
    case 'no-number':
      return 'Não saiu: este lead não tem um número de WhatsApp.'
    case 'number-in-doubt':
      return 'Não saiu: o número deste lead está em dúvida.'
    default:
      return 'Não saiu.'
  }
}

const sheet = lazily(async () => (await import('./later-sheet.tsx')).LaterSheet)

/** The broker cannot fix these reasons, only remove the message. */
const FINAL = new Set(['opted-out', 'no-number', 'no-owner', 'number-in-doubt'])

export function ScheduledMessages({ lead }: { lead: Lead }) {
  // Plan steps have a line of their own; this list shows one only if it was not sent.
  const texts = useScheduled(lead).filter(({ isPlanned, why }) => !isPlanned || why !== null)
  const nowMs = useNow()
  const [changed, setChanged] = useState<Worded | null>(null)
  const [isOpen, setOpen] = useState(false)
  if (texts.length === 0 && !changed) return null
  const change = (text: Worded) =>
    sheet.open(() => {
      setChanged(text)
      setOpen(true)
    })
  return (
    <>
      <ul
        aria-label="Mensagens agendadas"
        className="flex max-h-[45%] shrink-0 flex-col gap-2 overflow-y-auto px-3.5 pb-2.5 short:hidden"
      >
        {texts.map((text) => (
          <Line
            key={text.operationId?.slice(0, 8) ?? text.id}
            text={text}
            lead={lead}
            nowMs={nowMs}
            onChange={change}
          />
        ))}
      </ul>
      <Suspense>
        {changed && (
          <sheet.Component
            lead={lead}
            isOpen={isOpen}
            text={changed.text ?? ''}
            before={changed}
            onClose={() => setOpen(false)}
            onDone={() => setChanged(null)}
          />
        )}
      </Suspense>
    </>
  )
}

type LineProps = { text: Worded; lead: Lead; nowMs: number; onChange: (text: Worded) => void }

function Line({ text, lead, nowMs, onChange }: LineProps) {
  const { why, text: words } = text
  const isAnswered = why === 'answered'
  const isOver = why !== null && FINAL.has(why)
  const send = () => {
    if (words === null) return
    scheduleText(lead, { text: words, dueAtMs: null, unlessAnswered: false }, text).catch(() =>
      toast(SCHEDULE_FAILED, 'error'),
    )
  }
  const cancel = () => {
    unscheduleText(lead, text).then(
      () => toast('Mensagem agendada cancelada', 'success'),
      () => toast('Não foi possível cancelar a mensagem.', 'error'),
    )
  }
  return (
    <li className="ml-auto w-[81%] rounded-card rounded-br-sm border-2 border-border-strong px-3 pt-2 text-15 leading-message">
      <p className="line-clamp-6 wrap-anywhere whitespace-pre-wrap">
        {words ?? <span className="text-text-3">O texto aparece quando a internet voltar.</span>}
      </p>
      <p className="flex items-start gap-1.5 pt-1.5 text-14 font-medium text-text-2">
        <Icon of={Clock3} size={18} className="mt-px shrink-0" />
        {statusWords(text, leadTitle(lead).split(' ')[0] ?? '', nowMs)}
      </p>
      <div className="-mx-2 flex flex-wrap">
        {!isOver && text.dueAtMs !== null && (
          <Act isMain isDisabled={words === null} onPress={send}>
            {isAnswered ? 'Enviar assim mesmo' : 'Enviar agora'}
          </Act>
        )}
        {!isOver && !isAnswered && text.dueAtMs !== null && (
          <Act isMain isDisabled={words === null} onPress={() => onChange(text)}>
            Mudar
          </Act>
        )}
        <span className="grow" />
        <Act onPress={cancel}>{isAnswered || isOver ? 'Descartar' : 'Cancelar'}</Act>
      </div>
    </li>
  )
}

type ActProps = { isMain?: boolean; isDisabled?: boolean; onPress: () => void; children: string }

function Act({ isMain = false, isDisabled = false, onPress, children }: ActProps) {
  return (
    <button
      type="button"
      disabled={isDisabled}
      onClick={onPress}
      className={`min-h-11 rounded-md px-2 text-14 font-semibold disabled:opacity-40 ${isMain ? 'text-primary' : 'text-text-2'}`}
    >
      {children}
    </button>
  )
}
