// Marks of an agent's turns in a conversation: a chip below each of its messages, and a note while it is about to
// write.
import { useQuery } from '@tanstack/react-query'
import { Bot, ChevronRight } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import { countOf } from '#domain/count.ts'
import type { Message } from '#domain/message/message.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { agentTurnsQuery, type Turn } from './data.ts'

/** portal.plan_answer waits this long after the lead's last message. */
const WAITING = 'Esperando 8 s por outra mensagem'
const THINKING = 'Pensando na resposta'

type TurnMarks = {
  under: (message: Message) => ReactNode
  /** Tells what the agent is about to do; empty while it does nothing. */
  note: ReactNode
}

export type Inspecting = {
  agentId: number
  contactId: number
  /** The turn whose details are open; null if none. */
  inspected: number | null
  onInspect: (turnId: number | null) => void
}

export function useTurnMarks({ agentId, contactId, inspected, onInspect }: Inspecting): TurnMarks {
  const { data: turns } = useQuery(agentTurnsQuery(agentId, contactId))
  const under = useCallback(
    (message: Message) => {
      const turn = turns?.find(({ messageId }) => messageId === message.id)
      return turn && <TurnChip turn={turn} isOpen={turn.id === inspected} onOpen={() => onInspect(turn.id)} />
    },
    [turns, inspected, onInspect],
  )
  const newest = turns?.[0]?.state
  const doing = newest === 'waiting' ? WAITING : newest === 'thinking' ? THINKING : null
  return { under, note: doing && <Doing>{doing}</Doing> }
}

type TurnChipProps = { turn: Turn; isOpen: boolean; onOpen: () => void }

function TurnChip({ turn: { number, steps }, isOpen, onOpen }: TurnChipProps) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-current={isOpen}
      onClick={onOpen}
      className="group/turn -mb-2 ml-auto flex min-h-11 items-center"
    >
      <span className="flex h-6.5 items-center gap-1.5 rounded-full px-2.5 text-12 font-medium text-text-2 transition-colors group-hover/turn:bg-surface-2 group-aria-[current=true]/turn:bg-primary-soft group-aria-[current=true]/turn:text-on-primary-soft">
        <Icon of={Bot} size={16} />
        {`Turno ${number}`}
        {steps.length > 0 && ` · ${countOf(steps.length, 'consulta', 'consultas')}`}
        <Icon of={ChevronRight} size={16} />
      </span>
    </button>
  )
}

function Doing({ children }: { children: string }) {
  return (
    <p className="flex items-center justify-end gap-2 bg-chat-bg px-4 pb-2 text-13 text-text-2">
      <span aria-hidden className="flex gap-1">
        {['bg-primary', 'bg-primary/60', 'bg-primary/30'].map((tone) => (
          <span key={tone} className={`size-1.5 rounded-full ${tone} motion-safe:animate-late`} />
        ))}
      </span>
      <output>{children}</output>
    </p>
  )
}
