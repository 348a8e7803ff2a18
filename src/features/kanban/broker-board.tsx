// A broker's board in every state: loading, empty, failed, without a network, and the leads themselves. Spec 2.9, 2.17; INTERACTIONS 9.
import { CircleAlert, CloudOff, Inbox } from 'lucide-react'
import { useMemo } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { useBoard } from '#data/leads.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { useMedia, WIDE } from '#ui/media.ts'
import { LOAD_FAILED, RETRY } from '#ui/texts.ts'
import { BoardSkeleton } from './board-skeleton.tsx'
import { toColumns } from './board-view.ts'
import { ColumnsBoard } from './columns-board.tsx'
import { PagerBoard } from './pager-board.tsx'
import { BOARD_TITLE, EMPTY_BOARD, EMPTY_BOARD_HINT, offlineSince, REFRESH_FAILED } from './texts.ts'

type BrokerBoardProps = {
  instanceName: string
  /** The stage that fills a phone's screen. */
  stageSlug: string | undefined
  onStage: (slug: string) => void
  /** Opens a lead's conversation; stays the same function, or every card is drawn again. */
  onOpen: (leadId: number) => void
}

export function BrokerBoard({ instanceName, stageSlug, onStage, onOpen }: BrokerBoardProps) {
  const { board, isError, updatedAtMs, retry } = useBoard(instanceName)
  const columns = useMemo(() => board && toColumns(board), [board])
  const isOnline = useIsOnline()
  const isWide = useMedia(WIDE)

  if (!board || !columns) {
    if (!isError) return <BoardSkeleton isWide={isWide} />
    return (
      <Message title={LOAD_FAILED}>
        <Button variant="line" onClick={retry}>
          {RETRY}
        </Button>
      </Message>
    )
  }
  return (
    <>
      <div className="flex flex-col gap-2 px-4 empty:hidden lg:px-8">
        {!isOnline && (
          <Banner tone="dark" icon={CloudOff}>
            {offlineSince(updatedAtMs)}
          </Banner>
        )}
        {isOnline && isError && (
          <Banner tone="danger" icon={CircleAlert} action={{ label: RETRY, run: retry }}>
            {REFRESH_FAILED}
          </Banner>
        )}
      </div>
      {board.leads.size === 0 && board.missing.size === 0 ? (
        <Message title={EMPTY_BOARD} hint={EMPTY_BOARD_HINT} />
      ) : isWide ? (
        <ColumnsBoard columns={columns} onOpen={onOpen} />
      ) : (
        <PagerBoard columns={columns} stageSlug={stageSlug} onStage={onStage} onOpen={onOpen} />
      )}
    </>
  )
}

function Message({ title, hint, children }: { title: string; hint?: string; children?: React.ReactNode }) {
  return (
    <>
      <h1 className="sr-only">{BOARD_TITLE}</h1>
      <EmptyState icon={Inbox} title={title} {...(hint && { hint })}>
        {children}
      </EmptyState>
    </>
  )
}
