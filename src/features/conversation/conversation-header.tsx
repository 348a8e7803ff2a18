// The lead's name and stage, the menu and the close button: one row at any width.
import { ArrowLeft, Phone, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { renameLead } from '#data/notes.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { dialledDigits } from '#domain/phone/number-key.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import type { Stage } from '#domain/stage.ts'
import type { Action } from '#ui/primitives/overlay/action-menu.tsx'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { ChoiceChip } from '#ui/forms/choice-chip.tsx'
import { InlineEdit } from '#ui/forms/inline-edit.tsx'
import { useMedia, WIDE } from '#ui/media.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { CLOSE, LOADING } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import type { BrokerActs } from './broker-acts.ts'
import { ConversationMenu } from './conversation-menu.tsx'
import { useLeadDetails } from './lead/lead-details.tsx'
import { LEAD_DETAILS } from './lead/texts.ts'
import { OptedOut } from './opted-out.tsx'
import { CALL, MOVE_TO, STATUS, UNNAMED } from './ground/texts.ts'
import { useStageMove } from './ground/use-stage-move.ts'

type ConversationHeaderProps = {
  titleId: string
  lead: Lead | undefined
  stages: readonly Stage[]
  isLoading: boolean
  /** Text below the header's row. */
  more?: ReactNode
  /** Further actions of the conversation's menu. */
  actions: readonly Action[]
  acts: BrokerActs | undefined
  onSearch: () => void
  onClose: () => void
}

export function ConversationHeader(props: ConversationHeaderProps) {
  const { lead, stages, more, actions, acts, onSearch, onClose } = props
  const isWide = useMedia(WIDE)
  const details = useLeadDetails(lead, stages, acts?.changeNext)
  const close = (
    <span className={isWide ? 'head-end' : 'head-back'}>
      <IconButton icon={isWide ? X : ArrowLeft} label={CLOSE} onClick={onClose} />
    </span>
  )
  return (
    // A container query sizes the header, because a conversation beside the board is narrow on a wide screen too.
    <header className="@container relative z-1 shrink-0 shadow-topbar">
      <div className="head-row group/head flex flex-wrap items-center gap-x-1.5 px-1 md:pl-3">
        {!isWide && close}
        <span className="head-face flex @max-[340px]:hidden">
          {lead ? (
            <button type="button" aria-label={LEAD_DETAILS} onClick={details.open} className={AVATAR}>
              <Avatar name={lead.name} pictureUrl={lead.pictureUrl} size={36} />
            </button>
          ) : (
            <Avatar name={null} size={36} />
          )}
        </span>
        <Who {...props} />
        {lead && <StageChip lead={lead} stages={stages} />}
        {lead && <CallLink lead={lead} />}
        {lead && (
          <span className={`head-menu ${WHILE_WRITING}`}>
            <ConversationMenu
              key={lead.id}
              {...{ lead, actions, acts, onSearch }}
              onDetails={details.open}
              onNote={details.openNote}
            />
          </span>
        )}
        {isWide && close}
        {lead && (lead.isOptedOut || more) && (
          <div className="head-more flex basis-full flex-wrap items-center gap-x-3 px-3 pb-1.5 @min-[28rem]:px-0">
            {lead.isOptedOut && <OptedOut lead={lead} />}
            {more}
          </div>
        )}
      </div>
      {details.sheet}
    </header>
  )
}

/** Extends the touch area to 44 px around the 36 px picture. */
const AVATAR = 'relative flex rounded-full after:absolute after:-inset-1'

/** While the broker edits the name in a narrow header, the other elements hide to leave it the whole row. */
const WHILE_WRITING = '@max-[28rem]:group-has-[h2_input]/head:hidden'

function Who({ titleId, lead, isLoading }: ConversationHeaderProps) {
  return (
    <div className="head-who relative flex min-h-14 min-w-0 flex-[1_1_4rem] flex-col justify-center pl-1 short:min-h-11">
      {isLoading ? (
        <>
          <h2 id={titleId} className="sr-only">
            {LOADING}
          </h2>
          <Skeleton className="h-4 w-36 max-w-full" />
          <Skeleton className="mt-2 h-3 w-24 max-w-full" />
        </>
      ) : (
        // A narrow header shows the stage and hides the phone number.
        <div className="head-words">
          <h2 id={titleId} className="text-16 leading-name font-semibold tracking-name">
            {lead ? <LeadName key={lead.id} lead={lead} /> : UNNAMED}
          </h2>
          {lead?.number && lead.name?.trim() && (
            <p className="truncate text-13 leading-body text-text-3 tabular-nums @max-[28rem]:sr-only">
              {formatPhone(lead.number)}
            </p>
          )}
        </div>
      )}
    </div>
  )
}

/** A link that calls the lead. WhatsApp may hide a lead's number; such a lead cannot be called. */
function CallLink({ lead }: { lead: Lead }) {
  const digits = lead.number && dialledDigits(lead.number)
  return (
    digits && (
      <a
        href={`tel:+${digits}`}
        aria-label={`${CALL} para ${leadTitle(lead)}`}
        className={`head-call inline-flex size-11 shrink-0 items-center justify-center rounded-md text-text-2 hover:bg-surface-2 ${WHILE_WRITING}`}
      >
        <Icon of={Phone} />
      </a>
    )
  )
}

type StageChipProps = { lead: Lead; stages: readonly Stage[] }

function StageChip({ lead, stages }: StageChipProps) {
  const move = useStageMove(stages)
  return (
    <div className={`head-chip flex min-w-0 ${WHILE_WRITING}`}>
      <ChoiceChip
        name={STATUS}
        title={MOVE_TO}
        choices={stages.map(({ slug, name: label, hue }) => ({ value: slug, label, hue }))}
        value={lead.stageSlug}
        onChoose={(slug) => move(lead, slug)}
      />
    </div>
  )
}

/** The limit of the database column. */
const MAX_NAME = 200

function LeadName({ lead }: { lead: Lead }) {
  const rename = (name: string) =>
    void renameLead(lead, name).catch(() => toast('Erro ao salvar o nome. Tente novamente.', 'error'))
  return (
    <InlineEdit
      value={lead.name ?? ''}
      label="Nome do lead"
      editLabel="Editar nome"
      maxLength={MAX_NAME}
      isTight
      onSave={rename}
    >
      <span className="line-clamp-2 wrap-anywhere">{leadTitle(lead)}</span>
    </InlineEdit>
  )
}
