// Whether the agent answers this person, and the button that pauses or resumes it.
import { useMutation } from '@tanstack/react-query'
import { Bot, Pause as PauseIcon, Play } from 'lucide-react'
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
  PAUSE,
  PAUSE_FAILED,
  PAUSE_FOR,
  PAUSE_LENGTHS,
  pauseSentence,
  RESUME,
  RESUME_FAILED,
  SILENCE,
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
  const silence = state === undefined ? '' : SILENCE[state]
  const isSilent = silence !== ''
  const change = (intent: { isPaused: boolean; minutes: number | null }) => mutate({ contactId, ...intent })
  const choose = () => {
    const box = button.current?.getBoundingClientRect()
    if (box) setSpot({ x: box.right, y: box.bottom + 6 })
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-border bg-surface px-4 py-2">
      <p
        className={`flex min-w-0 grow basis-[10rem] items-center gap-2 text-13 leading-snug ${isOff || isSilent ? 'text-warning' : 'text-text-2'}`}
      >
        <Icon of={isOff || isSilent ? PauseIcon : Bot} size={16} />
        <output>{isOff && state !== 'paused' ? pauseSentence(pause) : silence || (state && ANSWERS)}</output>
      </p>
      <span ref={button} className="ml-auto">
        <Button
          variant={isOff ? 'soft' : 'line'}
          icon={isOff ? Play : PauseIcon}
          disabled={!isOnline}
          title={isOnline ? undefined : ONLINE_ONLY}
          aria-haspopup={isOff ? undefined : 'menu'}
          busy={isPending && (isOff ? RESUME : PAUSE)}
          onClick={isOff ? () => change({ isPaused: false, minutes: null }) : choose}
        >
          {isOff ? RESUME : PAUSE}
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

const NO_SPOT: Spot = { x: 0, y: 0 }
