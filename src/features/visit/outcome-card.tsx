// 'A visita aconteceu?': asks after a visit, on 'Hoje' and in the lead's conversation, until the broker answers.
import './visit.css'
import { X } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useBoard } from '#data/board/leads.ts'
import { act, saving } from '#data/deeds.ts'
import { answerVisit } from '#data/visits.ts'
import { addToDraft } from '#offline/drafts.ts'
import { spokenHour } from '#domain/format.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { type NextAction, UNKNOWN_ACTION } from '#domain/next-action/next-action.ts'
import { ACTION_LABEL, momentWords, type Suggestion, suggestionsAt } from '#domain/next-action/words.ts'
import { fillName } from '#domain/message/placeholder.ts'
import { type Feeling, isToCome, isUnanswered } from '#domain/next-action/visit.ts'
import { toast } from '#ui/feedback/toast.ts'
import { now, useNow } from '#ui/now.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { askOfVisits, isLeft, leaveVisit, useLeftVisits, visitKey } from './left-visits.ts'
import { MISSED_TEXT } from './texts.ts'
import { useAskedForOutcome } from './visit-opening.ts'

const FEELINGS: readonly [Feeling, string][] = [
  ['liked', 'Gostou'],
  ['unsure', 'Em dúvida'],
  ['disliked', 'Não gostou'],
]

type OutcomesProps = {
  leads: readonly Lead[]
  /** True if the broker asked to tell the outcome now, even of a visit that is still taking place. */
  isWanted?: boolean
  /** Opens a lead's conversation. Undefined where the conversation is shown below. */
  onOpen?: ((leadId: number) => void) | undefined
  /** Opens the sheet that moves a lead's visit to another hour. */
  onMove: (leadId: number) => void
  /** Called when no question is left. */
  onEnd?: () => void
}

/** Asks for the outcomes of all visits on a board. */
export function BoardOutcomes({
  instanceName,
  ...rest
}: Omit<OutcomesProps, 'leads'> & { instanceName: string }) {
  const { board } = useBoard(instanceName)
  // An array can be read again at each change of a card; the map's iterator would be empty after the first time.
  const leads = useMemo(
    () => (board ? Array.from(board.leads.values()).filter(({ next }) => next.length > 0) : []),
    [board],
  )
  return <VisitOutcomes leads={leads} {...rest} />
}

type Asked = { lead: Lead; visit: NextAction }

const keyOf = ({ lead, visit }: Asked) => visitKey(lead.id, visit)

/** Returns the visits to ask about: past ones whose question was not put off, and those that the user asked for. */
function useQuestions(leads: readonly Lead[], isWanted: boolean) {
  const nowMs = useNow()
  const left = useLeftVisits()
  /** The ids of the leads whose question the user asked for. */
  const [wanted, setWanted] = useState<readonly number[]>(() => (isWanted ? leads.map(({ id }) => id) : []))
  const asked: Asked[] = []
  for (const lead of leads)
    for (const visit of lead.next) {
      const isBegun = visit.kind === 'visit' && !isToCome(visit, nowMs)
      const isDue = isUnanswered(visit, nowMs) && !isLeft(left, visitKey(lead.id, visit), nowMs)
      if (isDue || (isBegun && wanted.includes(lead.id))) asked.push({ lead, visit })
    }
  // A press in the list of late actions shows the question, even if it was put off, and moves the focus to the card.
  useAskedForOutcome((leadId) => {
    askOfVisits(leadId)
    setWanted((ids) => [...ids, leadId])
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-outcome="${leadId}"] .outcome-answers button`)?.focus(),
    )
  })
  const leave = (one: Asked) => {
    setWanted((ids) => ids.filter((id) => id !== one.lead.id))
    leaveVisit(keyOf(one), now())
  }
  return { asked, leave }
}

export function VisitOutcomes({ leads, isWanted = false, onOpen, onMove, onEnd }: OutcomesProps) {
  const { asked, leave } = useQuestions(leads, isWanted)
  /** Visits that were just answered. They are hidden at once, before the board contains the answer. */
  const [gone, setGone] = useState<readonly string[]>([])
  const [held, setHeld] = useState<readonly Asked[]>([])
  const [liked, setLiked] = useState<readonly Asked[]>([])
  const [missed, setMissed] = useState<readonly Asked[]>([])
  const open = asked.filter((one) => !gone.includes(keyOf(one)))
  const isOver = open.length + held.length + liked.length + missed.length === 0
  const end = useEffectEvent(() => onEnd?.())
  useEffect(() => {
    if (isOver) end()
  }, [isOver])
  /** The first tap removes the question. If the answer cannot be stored, the question is shown again. */
  const answered = useRef(new Set<string>())
  const answer = async (one: Asked, outcome: 'held' | 'missed') => {
    const key = keyOf(one)
    if (answered.current.has(key)) return
    answered.current.add(key)
    setGone((keys) => [...keys, key])
    const follow = outcome === 'held' ? setHeld : one.lead.isOptedOut ? null : setMissed
    follow?.((others) => [...others, one])
    try {
      await answerVisit(one.lead, one.visit, { outcome })
    } catch {
      answered.current.delete(key)
      setGone((keys) => keys.filter((other) => other !== key))
      follow?.((others) => without(others, one))
      return failed()
    }
    if (outcome === 'missed') toast('Anotado: não veio', 'success')
  }
  return (
    <>
      {held.map((one) => (
        <FeelingCard
          key={`held ${keyOf(one)}`}
          one={one}
          onLeave={() => setHeld(without(held, one))}
          onInterest={() => setLiked((others) => [...others, one])}
        />
      ))}
      {liked.map((one) => (
        <NextCard
          key={`liked ${keyOf(one)}`}
          one={one}
          onMove={onMove}
          onLeave={() => setLiked(without(liked, one))}
        />
      ))}
      {missed.map((one) => (
        <RebookCard
          key={`missed ${keyOf(one)}`}
          one={one}
          onOpen={onOpen}
          onLeave={() => setMissed(without(missed, one))}
        />
      ))}
      {open.map((one) => (
        <Card
          key={keyOf(one)}
          {...one}
          title="A visita aconteceu?"
          leaveLabel="Perguntar depois"
          onLeave={() => leave(one)}
        >
          <Button onClick={() => void answer(one, 'held')}>Sim</Button>
          <Button variant="soft" onClick={() => void answer(one, 'missed')}>
            Não veio
          </Button>
          <Button variant="soft" onClick={() => onMove(one.lead.id)}>
            Remarcar
          </Button>
        </Card>
      ))}
    </>
  )
}

const without = (list: readonly Asked[], gone: Asked) => list.filter((one) => one !== gone)
const failed = () => toast('Não foi possível salvar o próximo passo.', 'error')

type AfterProps = { one: Asked; onLeave: () => void }

function FeelingCard({ one, onLeave, onInterest }: AfterProps & { onInterest: () => void }) {
  return (
    <Card {...one} title="Como foi?" leaveLabel="Agora não" onLeave={onLeave}>
      {FEELINGS.map(([feeling, label]) => (
        <Button
          key={feeling}
          variant="soft"
          onClick={() => {
            onLeave()
            // If the lead already has another action planned, nobody needs to be asked for the next step.
            if (feeling !== 'disliked' && one.lead.next.every((step) => step === one.visit)) onInterest()
            answerVisit(one.lead, one.visit, { outcome: 'held', feeling }).catch(failed)
          }}
        >
          {label}
        </Button>
      ))}
    </Card>
  )
}

function NextCard({ one, onMove, onLeave }: AfterProps & Pick<OutcomesProps, 'onMove'>) {
  const { lead } = one
  const choose = ({ kind, dueAtMs }: Suggestion) => {
    onLeave()
    act(lead, saving(lead, { kind, dueAtMs, note: '' }, UNKNOWN_ACTION)).then(
      () => toast(`${ACTION_LABEL[kind]} ${momentWords(dueAtMs, now())}`, 'success'),
      failed,
    )
  }
  return (
    <Card {...one} title="Qual o próximo passo?" leaveLabel="Agora não" onLeave={onLeave}>
      {suggestionsAt(useNow()).map((suggestion) => (
        <Button key={suggestion.kind} variant="soft" onClick={() => choose(suggestion)}>
          {`${ACTION_LABEL[suggestion.kind]} ${momentWords(suggestion.dueAtMs, now())}`}
        </Button>
      ))}
      <Button
        variant="soft"
        onClick={() => {
          onLeave()
          onMove(lead.id)
        }}
      >
        Outra visita
      </Button>
    </Card>
  )
}

/** The text is put into the conversation's message box; the broker sends it. */
function RebookCard({ one, onOpen, onLeave }: AfterProps & Pick<OutcomesProps, 'onOpen'>) {
  const { id, name } = one.lead
  const text = fillName(MISSED_TEXT, name)
  return (
    <Card {...one} title="Quer chamar de novo?" leaveLabel="Agora não" onLeave={onLeave}>
      <p className="col-span-2 text-15 text-text-2">{text}</p>
      <span className="self-center">
        <Button
          onClick={() => {
            onLeave()
            void addToDraft(`conversation:${id}`, text)
            onOpen?.(id)
          }}
        >
          Usar
        </Button>
      </span>
    </Card>
  )
}

type CardProps = Asked & {
  title: string
  leaveLabel: string
  onLeave: () => void
  children: React.ReactNode
}

function Card({ lead, visit, title, leaveLabel, onLeave, children }: CardProps) {
  const about = [leadTitle(lead), spokenHour(visit.dueAtMs), visit.note].filter(Boolean).join(' · ')
  return (
    <section
      data-outcome={lead.id}
      aria-label={`${title} ${about}`}
      className="mb-4 rounded-card bg-surface p-3.5 shadow-card"
    >
      <div className="flex items-center gap-3">
        <Avatar name={lead.name} pictureUrl={lead.pictureUrl} size={36} />
        <div className="min-w-0 grow">
          <p className="text-17 font-semibold">{title}</p>
          <p className="truncate text-14 text-text-2">{about}</p>
        </div>
        <IconButton icon={X} label={leaveLabel} onClick={onLeave} />
      </div>
      <div className="outcome-answers grid grid-cols-3 gap-2 pt-3">{children}</div>
    </section>
  )
}
