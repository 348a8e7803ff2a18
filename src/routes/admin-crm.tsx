// /crm: the leads of the brokers that the address names on one board, its conversations, handing leads over; and the stages. Spec 2.11, 2.12.
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { useBoards } from '#data/crm.ts'
import { NO_BROKER } from '#domain/broker.ts'
import { CrmFrame } from '#features/crm/crm-frame.tsx'
import { HandOverBar } from '#features/crm/hand-over-bar.tsx'
import { readSelection, writeSelection } from '#features/crm/selection.ts'
import { BrokersBoard } from '#features/kanban/brokers-board.tsx'
import type { Chosen } from '#features/kanban/choosing.ts'
import { ColumnsSkeleton } from '#features/kanban/columns-skeleton.tsx'
import { PersonLink } from '#features/people/person-link.tsx'
import { openQueue } from '#features/queue/queue-opening.ts'
import { StageManager } from '#features/stages/stage-manager.tsx'
import { lazily, useIdlePreload } from '#ui/lazily.ts'
import { useStepBack } from '#ui/use-step-back.ts'

const route = getRouteApi('/admin/crm')
const conversation = lazily(
  async () => (await import('#features/conversation/conversation-dialog.tsx')).ConversationDialog,
)
const NOBODY: Chosen = new Set()

export function AdminCrmPage() {
  const { vista } = route.useSearch()
  const navigate = route.useNavigate()
  const back = useStepBack(
    vista && 1,
    () => void navigate({ search: (search) => ({ ...search, vista: undefined }), replace: true }),
  )
  return vista ? <StageManager onBack={back} /> : <Boards />
}

function Boards() {
  const { corretores, lead } = route.useSearch()
  const navigate = route.useNavigate()
  const selected = useMemo(() => readSelection(corretores), [corretores])
  const boards = useBoards(selected)
  const { board } = boards
  const [chosen, setChosen] = useState(NOBODY)
  const close = useStepBack(
    lead,
    () => void navigate({ search: (search) => ({ ...search, lead: undefined }), replace: true }),
  )
  // Once shown it stays, closed, so that the focus finds its way back to the card.
  const [hasOpened, setOpened] = useState(false)
  if (lead !== undefined && !hasOpened) setOpened(true)
  useIdlePreload(conversation.load)
  const open = useCallback(
    (id: number) => void navigate({ search: (search) => ({ ...search, lead: id }) }),
    [navigate],
  )
  const owner = lead === undefined ? undefined : board?.leads.get(lead)?.instanceName
  const areBoardsHere = boards.states.every(({ total }) => total !== undefined)
  const [lastOwner, setLastOwner] = useState(owner)
  if (owner !== undefined && owner !== lastOwner) setLastOwner(owner)
  return (
    <CrmFrame
      boards={boards}
      selected={selected}
      onSelect={(names) =>
        void navigate({
          search: (search) => ({ ...search, corretores: writeSelection(names) }),
          replace: true,
        })
      }
      onManageStages={() => void navigate({ search: (search) => ({ ...search, vista: 'estagios' }) })}
      skeleton={<ColumnsSkeleton />}
    >
      {board && (
        <BrokersBoard
          board={board}
          chosen={chosen}
          onChosen={setChosen}
          onOpen={open}
          onPending={openQueue}
        />
      )}
      <HandOverBar
        leads={[...chosen].flatMap((id) => board?.leads.get(id) ?? [])}
        onClear={() => setChosen(NOBODY)}
      />
      <Suspense>
        {hasOpened && (
          <conversation.Component
            instanceName={lastOwner ?? selected[0] ?? NO_BROKER}
            // Whose it is is known once its board is here.
            contactId={owner !== undefined || areBoardsHere ? lead : undefined}
            onClose={close}
            marksRead={false}
            more={lead !== undefined && <PersonLink leadId={lead} />}
          />
        )}
      </Suspense>
    </CrmFrame>
  )
}
