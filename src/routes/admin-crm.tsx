// '/crm': the leads of the brokers named in the address on one board, conversations, transfers, and the stages.
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { FileDown, UserRoundPlus, UserRoundX } from 'lucide-react'
import { Suspense, useCallback, useState } from 'react'
import { type Boards as CrmBoards, useBoards } from '#data/crm.ts'
import { useIsAdmin } from '#data/is-admin.ts'
import { displayName, NO_BROKER } from '#domain/broker.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { AddedLead } from '#features/adding/use-addition.ts'
import { CrmFrame } from '#features/crm/crm-frame.tsx'
import { TransferBar } from '#features/crm/transfer-bar.tsx'
import { TransferDialog } from '#features/crm/transfer-dialog.tsx'
import { OwnerLine } from '#features/crm/owner-line.tsx'
import { ReplyNote } from '#features/crm/reply-note.tsx'
import { useListed } from '#features/crm/listed-brokers.ts'
import { useSelection } from '#features/crm/opening-selection.ts'
import { writeSelection } from '#domain/broker-selection.ts'
import { BrokersBoard } from '#features/board/brokers-board.tsx'
import type { Chosen } from '#features/board/ground/selection.ts'
import { ColumnsSkeleton } from '#features/board/columns/columns-skeleton.tsx'
import { ExportLeads } from '#features/exports/export-leads.tsx'
import { PersonLink } from '#features/people/person-link.tsx'
import { SAVE_CONVERSATION, useSaveConversation } from '#features/people/save-conversation.tsx'
import { openQueue } from '#features/outbox/queue-opening.ts'
import { StageManager } from '#features/stages/stage-manager.tsx'
import { lazily, useIdlePreload } from '#ui/lazily.ts'
import type { Action } from '#ui/primitives/overlay/action-menu.tsx'
import { useStepBack } from '#ui/primitives/overlay/use-step-back.ts'
import { idOf, textOf } from './parts/read-search.ts'

const route = getRouteApi('/admin/crm')
const conversation = lazily(
  async () => (await import('#features/conversation/conversation-dialog.tsx')).ConversationDialog,
)
const NOBODY: Chosen = new Set()
const NO_LEADS: readonly Lead[] = []

export function AdminCrmPage() {
  const isAdmin = useIsAdmin()
  const vista = route.useSearch().vista === 'estagios' && isAdmin
  const navigate = route.useNavigate()
  const back = useStepBack(
    vista ? 1 : undefined,
    () => void navigate({ search: (search) => ({ ...search, vista: undefined }), replace: true }),
  )
  return vista ? <StageManager onBack={back} /> : <Boards />
}

const adding = lazily(async () => (await import('#features/adding/any-lead.tsx')).AnyLeadDialog)

function Boards() {
  const isAdmin = useIsAdmin()
  const search = route.useSearch()
  const [corretores, lead] = [textOf(search.corretores), idOf(search.lead)]
  const navigate = route.useNavigate()
  const listed = useListed()
  const { selected, isOpening, isEverybody, noteChoice } = useSelection(corretores, listed.listed)
  const boards = useBoards(selected)
  const { board } = boards
  const [chosen, setChosen] = useState(NOBODY)
  const [toTransfer, setToTransfer] = useState<Lead>()
  const [isAdding, setAdding] = useState<boolean>()
  const endTransfer = () => setToTransfer(undefined)
  const { open, close } = useConversation(lead)
  const endAdding = () => setAdding(false)
  /**
   * Opens the added lead on its board, in place of the history entry that the sheet added. The sheet may close only
   * after that, because its step back would close the conversation. A lead that waits in the outbox is on no board yet.
   */
  const show = ({ id, instanceName }: AddedLead) => {
    if (id < 0) return endAdding()
    const names = [...new Set([...selected, instanceName ?? NO_BROKER])]
    const corretores = writeSelection(names)
    conversation.open(() => {
      void navigate({ search: (search) => ({ ...search, corretores, lead: id }), replace: true })
      endAdding()
    })
  }
  const select = (chosenNames: readonly string[]) => {
    noteChoice(chosenNames)
    void navigate({
      search: (search) => ({ ...search, corretores: writeSelection(chosenNames) }),
      replace: true,
    })
  }
  return (
    <>
      <CrmFrame
        listed={listed}
        boards={boards}
        selected={selected}
        {...{ isOpening, isEverybody }}
        hasConversation={lead !== undefined}
        beside={<Talk leadId={lead} boards={boards} selected={selected} onClose={close} />}
        onSelect={select}
        onAdd={() => adding.open(() => setAdding(true))}
        onManageStages={
          isAdmin
            ? () => void navigate({ search: (search) => ({ ...search, vista: 'estagios' }) })
            : undefined
        }
        more={isAdmin ? ExportLeads : undefined}
        skeleton={<ColumnsSkeleton />}
      >
        {board && (
          <BrokersBoard
            board={board}
            chosen={chosen}
            onChosen={setChosen}
            onOpen={open}
            onPending={openQueue}
            onTransfer={setToTransfer}
          />
        )}
        <TransferBar
          leads={[...chosen].flatMap((id) => board?.leads.get(id) ?? [])}
          onClear={() => setChosen(NOBODY)}
        />
        <TransferDialog
          isOpen={toTransfer !== undefined}
          leads={toTransfer ? [toTransfer] : NO_LEADS}
          onClose={endTransfer}
          onDone={endTransfer}
        />
      </CrmFrame>
      {/* Outside the frame, which renders its content only once a broker is selected. */}
      {isAdding !== undefined && (
        <Suspense>
          <adding.Component isOpen={isAdding} shown={selected} onClose={endAdding} onOpen={show} />
        </Suspense>
      )}
    </>
  )
}

/** Opens and closes a lead's conversation by the address. */
function useConversation(lead: number | undefined) {
  const navigate = route.useNavigate()
  const router = useRouter()
  const close = useStepBack(
    lead,
    () => void navigate({ search: (search) => ({ ...search, lead: undefined }), replace: true }),
  )
  useIdlePreload(conversation.load)
  const open = useCallback(
    (id: number) =>
      conversation.open(() => {
        // If a conversation is open beside the board, the new one replaces its history entry.
        const replace = Reflect.get(router.state.location.search, 'lead') !== undefined
        void navigate({ search: (search) => ({ ...search, lead: id }), replace })
      }),
    [navigate, router],
  )
  return { open, close }
}

const marking = lazily(async () => (await import('#features/private/mark-sheet.tsx')).MarkSheet)

type LeadDeed = (lead: Lead) => void

type LeadDeeds = { transfer: LeadDeed; mark: LeadDeed | undefined; save: LeadDeed | undefined }

/**
 * Returns the actions of a lead's menu. Gerentes have no `mark`, because private contacts concern only the broker, and
 * no `save`, because only administrators save a conversation as a file.
 */
function actionsOf(lead: Lead, { transfer, mark, save }: LeadDeeds): Action[] {
  return [
    { label: 'Passar para outro corretor', icon: UserRoundPlus, run: () => transfer(lead) },
    ...(save ? [{ label: SAVE_CONVERSATION, icon: FileDown, run: () => save(lead) }] : []),
    // A lead without a broker cannot be marked, because it would be in no broker's list.
    ...(mark === undefined || lead.instanceName === NO_BROKER
      ? []
      : [{ label: 'Não é lead', icon: UserRoundX, run: () => mark(lead) }]),
  ]
}

type TalkProps = {
  /** The lead whose conversation is open; undefined while none is. */
  leadId: number | undefined
  boards: CrmBoards
  selected: readonly string[]
  onClose: () => void
}

/** A lead's conversation. After a transfer from here it stays open, and belongs to the new broker. */
function Talk({ leadId, boards: { board, states }, selected, onClose }: TalkProps) {
  const isAdmin = useIsAdmin()
  // Once opened, the conversation stays mounted while closed, so that focus returns to the card.
  const [hasOpened, setOpened] = useState(false)
  if (leadId !== undefined && !hasOpened) setOpened(true)
  const lead = leadId === undefined ? undefined : board?.leads.get(leadId)
  const [lastOwner, setLastOwner] = useState(lead?.instanceName)
  if (lead && lead.instanceName !== lastOwner) setLastOwner(lead.instanceName)
  const instanceName = lastOwner ?? selected[0] ?? NO_BROKER
  // Only a loaded board tells the lead's broker.
  const isKnown = lead !== undefined || states.every(({ total }) => total !== undefined)
  const [transferring, setTransferring] = useState<Lead>()
  const { save } = useSaveConversation()
  const [marked, setMarked] = useState<Lead>()
  const [hasMarked, setHasMarked] = useState(false)
  if (marked && !hasMarked) setHasMarked(true)
  const askToMark = (one: Lead) => marking.open(() => setMarked(one))
  // The address does not change, because a change would keep the history entry that the dialog added.
  const follow = (to: string) => {
    setTransferring(undefined)
    setLastOwner(to)
  }
  return (
    <>
      <Suspense>
        {hasOpened && (
          <conversation.Component
            instanceName={instanceName}
            contactId={isKnown ? leadId : undefined}
            onClose={onClose}
            docks
            actions={
              lead
                ? actionsOf(lead, {
                    transfer: setTransferring,
                    mark: isAdmin ? askToMark : undefined,
                    save: isAdmin ? save : undefined,
                  })
                : []
            }
            reader={{
              author: displayName(instanceName),
              mayWrite: instanceName !== NO_BROKER,
              note: <ReplyNote instanceName={instanceName} onTransfer={() => setTransferring(lead)} />,
            }}
            more={
              leadId !== undefined && (
                <>
                  <OwnerLine instanceName={instanceName} />
                  {isAdmin && <PersonLink leadId={leadId} />}
                </>
              )
            }
          />
        )}
      </Suspense>
      <Suspense>
        {hasMarked && (
          <marking.Component lead={marked} isAdmin onClose={() => setMarked(undefined)} onDone={onClose} />
        )}
      </Suspense>
      <TransferDialog
        isOpen={transferring !== undefined}
        leads={transferring ? [transferring] : NO_LEADS}
        onClose={() => setTransferring(undefined)}
        onDone={follow}
      />
    </>
  )
}
