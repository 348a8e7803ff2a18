// Who the conversation is with, where the lead stands, and the way out. Spec 2.10; design/png/phone-06.
import { X } from 'lucide-react'
import type { Lead } from '#domain/lead.ts'
import { formatPhone } from '#domain/phone.ts'
import type { Stage } from '#domain/stage.ts'
import { Avatar } from '#ui/avatar.tsx'
import { IconButton } from '#ui/button.tsx'
import { ChoiceChip } from '#ui/choice-chip.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { CLOSE, LOADING } from '#ui/texts.ts'
import { MOVE_TO, STATUS, UNNAMED } from './texts.ts'
import { useStageMove } from './use-stage-move.ts'

type ConversationHeaderProps = {
  titleId: string
  lead: Lead | undefined
  stages: readonly Stage[]
  isLoading: boolean
  onClose: () => void
}

export function ConversationHeader({ titleId, lead, stages, isLoading, onClose }: ConversationHeaderProps) {
  const move = useStageMove(stages)
  return (
    <header className="z-1 flex shrink-0 items-center gap-3 pt-4 pr-1.5 pb-2.5 pl-4 shadow-topbar md:pr-3">
      <Avatar name={lead?.name ?? null} pictureUrl={lead?.pictureUrl ?? null} size={44} />
      <div className="min-w-27 flex-1">
        {isLoading ? (
          <>
            <h2 id={titleId} className="sr-only">
              {LOADING}
            </h2>
            <Skeleton className="h-4 w-36" />
            <Skeleton className="mt-2 h-3 w-24" />
          </>
        ) : (
          <>
            <h2 id={titleId} className="truncate text-17 font-semibold tracking-name">
              {lead?.name?.trim() || UNNAMED}
            </h2>
            {lead?.number && (
              <p className="mt-px truncate text-13 text-text-3 tabular-nums">{formatPhone(lead.number)}</p>
            )}
          </>
        )}
      </div>
      {lead && (
        <div className="flex min-w-0">
          <ChoiceChip
            name={STATUS}
            title={MOVE_TO}
            choices={stages.map(({ slug, name }) => ({ value: slug, label: name }))}
            value={lead.stageSlug}
            onChoose={(slug) => move(lead, slug)}
          />
        </div>
      )}
      <IconButton icon={X} label={CLOSE} onClick={onClose} />
    </header>
  )
}
