// Who holds the conversation, the agent or a person, and the button that takes it or gives it back.
import { useMutation } from '@tanstack/react-query'
import { Bot, type LucideIcon, Pause as PauseIcon, UserRound } from 'lucide-react'
import { useRef, useState } from 'react'
import { pauseConversation } from './conversations-data.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { type AgentState, isPaused, type Pause } from '#domain/agent.ts'
import { ActionMenu, type Spot } from '#ui/primitives/action-menu.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { useNow } from '#ui/now.ts'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import {
  ANSWERS,
  ANSWERS_UNTIL,
  GIVE_BACK,
  PAUSE,
  PAUSE_FAILED,
  PAUSE_FOR,
  PAUSE_LENGTHS,
  pauseSentence,
  RESUME_FAILED,
  SILENCE,
  TAKE,
} from './texts.ts'

type PauseControlProps = {
  agentId: number
  /** Undefined: not known yet. */
  state: AgentState | undefined
  contactId: number
  pause: Pause | null
}

export function PauseControl({ agentId, state, contactId, pause }: PauseControlProps) {
  const nowMs = useNow()
  const isOnline = useIsOnline()
  const { mutate, isPending } = useMutation({
    ...pauseConversation(agentId),
    onError: (_error, intent) => toast(intent.isPaused ? PAUSE_FAILED : RESUME_FAILED, 'error'),
  })
  const button = useRef<HTMLSpanElement>(null)
  const [spot, setSpot] = useState<Spot | null>(null)
  const isOff = isPaused(pause, nowMs)
  const baton = batonOf(state, isOff)
  const take = baton === 'agent' ? TAKE : PAUSE
  const change = (intent: { isPaused: boolean; minutes: number | null }) => mutate({ contactId, ...intent })
  const choose = () => {
    const box = button.current?.getBoundingClientRect()
    if (box) setSpot({ x: box.right, y: box.bottom + 6 })
  }
  return (
    <div
      className={`flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-4 py-1 ${TONE[baton]}`}
    >
      <p className="flex min-w-0 grow basis-[10rem] items-center gap-2 text-14 leading-snug">
        <Icon of={ICON[baton]} size={18} />
        <output>
          {baton === 'agent' ? (
            <>
              <b className="font-semibold">{ANSWERS}</b> {ANSWERS_UNTIL}
            </>
          ) : isOff && state !== 'paused' ? (
            pauseSentence(pause)
          ) : (
            state && SILENCE[state]
          )}
        </output>
      </p>
      <span ref={button} className="ml-auto">
        <Button
          variant={baton === 'agent' ? 'primary' : 'line'}
          icon={isOff ? Bot : baton === 'agent' ? UserRound : PauseIcon}
          disabled={!isOnline}
          title={isOnline ? undefined : ONLINE_ONLY}
          aria-haspopup={isOff ? undefined : 'menu'}
          busy={isPending && (isOff ? GIVE_BACK : take)}
          onClick={isOff ? () => change({ isPaused: false, minutes: null }) : choose}
        >
          {isOff ? GIVE_BACK : take}
        </Button>
      </span>
      <ActionMenu
        isOpen={spot !== null}
        onClose={() => setSpot(null)}
        title={PAUSE_FOR}
        spot={spot ?? NO_SPOT}
        actions={PAUSE_LENGTHS.map(({ label, minutes }) => ({
          label,
          icon: PauseIcon,
          run: () => change({ isPaused: true, minutes }),
        }))}
      />
    </div>
  )
}

/** Who holds the conversation. */
type Baton = 'agent' | 'person' | 'broker' | 'stopped'

function batonOf(state: AgentState | undefined, isOff: boolean): Baton {
  if (isOff) return 'person'
  if (state === undefined || state === 'suggests' || state === 'off') return 'broker'
  return state === 'available' ? 'agent' : 'stopped'
}

const TONE: Record<Baton, string> = {
  agent: 'bg-primary-soft text-on-primary-soft',
  person: 'bg-surface-2 text-text-2',
  broker: 'bg-surface text-text-2',
  stopped: 'bg-danger-soft text-on-danger-soft',
}
const ICON: Record<Baton, LucideIcon> = {
  agent: Bot,
  person: UserRound,
  broker: UserRound,
  stopped: PauseIcon,
}

const NO_SPOT: Spot = { x: 0, y: 0 }
