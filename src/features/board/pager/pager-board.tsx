// The board on a phone: one stage per screen, tabs below. It can be read and tapped before its gestures are loaded.
import { type ReactNode, Suspense, useCallback, useDeferredValue, useId, useRef, useState } from 'react'
import { useArrival } from '#ui/arrival.ts'
import { lazily } from '#ui/lazily.ts'
import { wantsLessMotion } from '#ui/motion/motion.ts'
import { type Column, findColumn } from '../ground/board-view.ts'
import type { CardActions } from '../ground/card-actions.ts'
import { StagePages } from './stage-pages.tsx'
import { StageRail } from './stage-rail.tsx'
import { StageTitles } from './stage-titles.tsx'
import type { BoardMoves } from '../moves/use-board-moves.ts'
import type { CardListHandle } from '../ground/use-card-focus.ts'
import { useHeld } from '../columns/use-steady-list.ts'

const gestures = lazily(async () => (await import('../gestures/gestures.tsx')).Gestures)

type PagerBoardProps = CardActions & {
  columns: readonly Column[]
  stageSlug: string | undefined
  onStage: (slug: string) => void
  moves: BoardMoves
  /** The board's heading, if the page has none. */
  heading?: string
  /** The search, shown beside the title. */
  tools?: ReactNode
  /** The filters, shown below the title. */
  filters?: ReactNode
}

export function PagerBoard({
  columns: newest,
  stageSlug,
  onStage,
  moves,
  heading,
  tools,
  filters,
  ...actions
}: PagerBoardProps) {
  const panelId = useId()
  const root = useRef<HTMLDivElement>(null)
  const [lists] = useState(() => new Map<string, CardListHandle>())
  /** True during a drag, while the columns on screen do not change. */
  const [isDragged, setHeld] = useState(false)
  const columns = useHeld(newest, isDragged)
  const active = findColumn(columns, stageSlug)
  const { shown, fading, setNear, endFade } = useShownStage(active)
  const areGesturesHere = useArrival(gestures.load)
  /** True if gestures position the pages, titles and tabs; false if React does. */
  const [isDriven, setDriven] = useState(false)
  /** The stage where a drag began. Its page stays rendered, because the dragged card is in it. */
  const [origin, setOrigin] = useState<number | null>(null)

  const go = (index: number) => {
    const slug = columns[index]?.stage.slug
    if (slug !== undefined) onStage(slug)
  }
  const select = (index: number) => (index === shown ? scrollToTop(root.current) : go(index))
  // Neighbouring pages are rendered after the gestures are loaded, in slices, so that touches are handled meanwhile.
  const hasNeighbours = useDeferredValue(isDriven)
  const around = hasNeighbours ? [shown - 1, shown, shown + 1] : [shown]
  return (
    <div ref={root} className="relative flex min-h-0 grow flex-col">
      <header className="flex items-center gap-2 pt-2.5 pr-3 pb-3 pl-4">
        <div className="min-w-0 grow">
          {heading && <p className="sr-only">{heading}</p>}
          <StageTitles as={heading ? 'h1' : 'h2'} columns={columns} shown={shown} around={around} />
        </div>
        {tools}
      </header>
      {filters}
      <StagePages
        columns={columns}
        panelId={panelId}
        shown={shown}
        inPage={[...around, fading, origin]}
        fading={fading}
        onFaded={endFade}
        isDriven={isDriven}
        lists={lists}
        {...actions}
      />
      <StageRail columns={columns} active={shown} onSelect={select} panelId={panelId} isDriven={isDriven} />
      {areGesturesHere && (
        <Suspense>
          <gestures.Component
            {...{ root, columns, newest, active, shown, lists, moves }}
            onDrive={setDriven}
            onNear={setNear}
            onTarget={go}
            onHold={setHeld}
            onOrigin={setOrigin}
          />
        </Suspense>
      )}
    </div>
  )
}

function scrollToTop(root: HTMLElement | null) {
  const page = root?.querySelector('[role="tabpanel"]')
  page?.scrollTo({ top: 0, behavior: wantsLessMotion() ? 'instant' : 'smooth' })
}

/**
 * Returns the stage on screen: the one in the address, or the nearest while pages move. If the address names a distant
 * stage, the old page fades out over the new one.
 */
function useShownStage(active: number) {
  const [before, setBefore] = useState(active)
  const [near, setNear] = useState<number | null>(null)
  const [fading, setFading] = useState<number | null>(null)
  const shown = near ?? active
  if (before !== active) {
    setBefore(active)
    setNear(null)
    setFading(Math.abs(active - shown) > 1 ? shown : null)
  }
  return { shown, fading, setNear, endFade: useCallback(() => setFading(null), []) }
}
