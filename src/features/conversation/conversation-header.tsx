// Who the conversation is with, where the lead stands, and the way out. Spec 2.10; design/png/phone-06.
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { renameLead } from '#data/notes.ts'
import type { Lead } from '#domain/lead.ts'
import { formatPhone } from '#domain/phone.ts'
import type { Stage } from '#domain/stage.ts'
import { Avatar } from '#ui/avatar.tsx'
import { IconButton } from '#ui/button.tsx'
import { ChoiceChip } from '#ui/choice-chip.tsx'
import { InlineEdit } from '#ui/inline-edit.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { CLOSE, LOADING } from '#ui/texts.ts'
import { toast } from '#ui/toast.ts'
import { CourseButton } from './course-button.tsx'
import { OptedOut } from './opted-out.tsx'
import { LEAD_NAME, MOVE_TO, RENAME, RENAME_FAILED, STATUS, UNNAMED } from './texts.ts'
import { useStageMove } from './use-stage-move.ts'

type ConversationHeaderProps = {
  titleId: string
  lead: Lead | undefined
  stages: readonly Stage[]
  isLoading: boolean
  /** What can be done beyond the conversation, below the number. */
  more?: ReactNode
  onClose: () => void
}

export function ConversationHeader({
  titleId,
  lead,
  stages,
  isLoading,
  more,
  onClose,
}: ConversationHeaderProps) {
  const move = useStageMove(stages)
  return (
    // Where name or number and status do not fit side by side, the status goes below: only a name too long for the
    // whole line is cut.
    <header className="relative z-1 flex shrink-0 flex-wrap items-center gap-2 pt-4 pr-13 pb-2.5 pl-4 shadow-topbar">
      <div className="flex min-w-0 flex-auto items-center gap-2.5">
        <Avatar name={lead?.name ?? null} pictureUrl={lead?.pictureUrl ?? null} size={44} />
        <div className="min-w-0 grow">
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
              <h2 id={titleId} className="text-17 font-semibold tracking-name">
                {lead ? <LeadName key={lead.id} lead={lead} /> : UNNAMED}
              </h2>
              {lead && (
                <div className="mt-px flex items-center gap-1 text-13 text-text-3 tabular-nums">
                  {lead.number && <span>{formatPhone(lead.number)}</span>}
                  <CourseButton key={lead.id} lead={lead} />
                </div>
              )}
              {lead?.isOptedOut && <OptedOut lead={lead} />}
              {lead && more}
            </>
          )}
        </div>
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
      <div className="absolute top-4 right-1.5">
        <IconButton icon={X} label={CLOSE} onClick={onClose} />
      </div>
    </header>
  )
}

/** As the table of leads has it. */
const LONGEST_NAME = 200

function LeadName({ lead }: { lead: Lead }) {
  const rename = (name: string) => void renameLead(lead, name).catch(() => toast(RENAME_FAILED, 'error'))
  return (
    <InlineEdit
      value={lead.name ?? ''}
      label={LEAD_NAME}
      editLabel={RENAME}
      maxLength={LONGEST_NAME}
      isTight
      onSave={rename}
    >
      <span className="truncate">{lead.name?.trim() || UNNAMED}</span>
    </InlineEdit>
  )
}
