// 'A visita aconteceu?': asked once it is over, on the day's page and in the lead's conversation, until somebody says.
import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useBoard } from '#data/board/leads.ts'
import { answerVisit } from '#data/visits.ts'
import { spokenHour } from '#domain/format.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import type { NextAction } from '#domain/next-action/next-action.ts'
import { type Feeling, isUnanswered } from '#domain/next-action/visit.ts'
import { toast } from '#ui/feedback/toast.ts'
import { useNow } from '#ui/now.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'

const FEELINGS: readonly [Feeling, string][] = [
  ['liked', 'Gostou'],
  ['unsure', 'Em dúvida'],
  ['disliked', 'Não gostou'],
]

type OutcomesProps = {
  leads: Iterable<Lead>
  /** Opens the sheet that moves a lead's visit. */
  onMove: (leadId: number) => void
}

/** Of all leads on a board. */
export function BoardOutcomes({
  instanceName,
  onMove,
}: Pick<OutcomesProps, 'onMove'> & { instanceName: string }) {
  const { board } = useBoard(instanceName)
  return board && <VisitOutcomes leads={board.leads.values()} onMove={onMove} />
}

type Asked = { lead: Lead; visit: NextAction }

const keyOf = ({ lead, visit }: Asked) => `${lead.id} ${visit.operationId ?? visit.id}`

export function VisitOutcomes({ leads, onMove }: OutcomesProps) {
  const nowMs = useNow()
  const [left, setLeft] = useState<readonly string[]>([])
  const [held, setHeld] = useState<readonly Asked[]>([])
  const asked: Asked[] = []
  for (const lead of leads)
    for (const visit of lead.next) if (isUnanswered(visit, nowMs)) asked.push({ lead, visit })
  const open = asked.filter((one) => !left.includes(keyOf(one)))
  const leave = (one: Asked) => setLeft([...left, keyOf(one)])
  /** The question goes with the first tap; one that could not be written down is asked again. */
  const answered = useRef(new Set<string>())
  const answer = async (one: Asked, outcome: 'held' | 'missed') => {
    const key = keyOf(one)
    if (answered.current.has(key)) return false
    answered.current.add(key)
    leave(one)
    if (outcome === 'held') setHeld([...held, one])
    try {
      await answerVisit(one.lead, one.visit, { outcome })
      return true
    } catch {
      answered.current.delete(key)
      setLeft((keys) => keys.filter((other) => other !== key))
      failed()
      return false
    }
  }
  return (
    <>
      {held.map((one) => (
        <Card
          key={`held ${keyOf(one)}`}
          {...one}
          title="Como foi?"
          onLeave={() => setHeld(without(held, one))}
        >
          {FEELINGS.map(([feeling, label]) => (
            <Button
              key={feeling}
              variant="soft"
              onClick={() => {
                setHeld(without(held, one))
                answerVisit(one.lead, one.visit, { outcome: 'held', feeling }).catch(failed)
              }}
            >
              {label}
            </Button>
          ))}
        </Card>
      ))}
      {open.map((one) => (
        <Card key={keyOf(one)} {...one} title="A visita aconteceu?" onLeave={() => leave(one)}>
          <Button onClick={() => void answer(one, 'held')}>Sim</Button>
          <Button
            variant="soft"
            onClick={() =>
              void answer(one, 'missed').then((isDone) => isDone && toast('Anotado: não veio', 'success'))
            }
          >
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

type CardProps = Asked & { title: string; onLeave: () => void; children: React.ReactNode }

function Card({ lead, visit, title, onLeave, children }: CardProps) {
  const about = [leadTitle(lead), spokenHour(visit.dueAtMs), visit.note].filter(Boolean).join(' · ')
  return (
    <section aria-label={`${title} ${about}`} className="mb-4 rounded-card bg-surface p-3.5 shadow-card">
      <div className="flex items-center gap-3">
        <Avatar name={lead.name} pictureUrl={lead.pictureUrl} size={36} />
        <div className="min-w-0 grow">
          <p className="text-17 font-semibold">{title}</p>
          <p className="truncate text-14 text-text-2">{about}</p>
        </div>
        <IconButton icon={X} label="Perguntar depois" onClick={onLeave} />
      </div>
      <div className="outcome-answers grid grid-cols-3 gap-2 pt-3">{children}</div>
    </section>
  )
}
