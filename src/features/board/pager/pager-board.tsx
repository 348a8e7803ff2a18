// The board on a phone: one stage a screen, the rail below; readable and tappable before its gestures are here.
import { type ReactNode, Suspense, useCallback, useDeferredValue, useId, useRef, useState } from 'react'
import { useArrival } from '#ui/arrival.ts'
import { lazily } from '#ui/lazily.ts'
import { wantsLessMotion } from '#ui/motion/motion.ts'
import { type Column, findColumn } from '../board-view.ts'
import type { CardActions } from '../card/card-actions.ts'
import { StagePages } from './stage-pages.tsx'
import { StageRail } from './stage-rail.tsx'
import { StageTitles } from './stage-titles.tsx'
import type { BoardMoves } from '../moves/use-board-moves.ts'
import type { CardListHandle } from '../columns/use-card-focus.ts'
import { useHeld } from '../columns/use-steady-list.ts'

const gestures = lazily(async () => (await import('../gestures/gestures.tsx')).Gestures)

type PagerBoardProps = CardActions & {
  columns: readonly Column[]
  stageSlug: string | undefined
  onStage: (slug: string) => void
  moves: BoardMoves
  /** Names the whole, where nothing around it does. */
  heading?: string
  /** Stands beside the title: the search. */
  tools?: ReactNode
  /** Stands below it. */
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
  /** While a card is in the hand nothing changes under it. */
  const [isDragged, setHeld] = useState(false)
  const columns = useHeld(newest, isDragged)
  const active = findColumn(columns, stageSlug)
  const { shown, fading, setNear, endFade } = useShownStage(active)
  const areGesturesHere = useArrival(gestures.load)
  /** Gestures place the pages, the titles and the rail. */
  const [isDriven, setDriven] = useState(false)
  /** Kept in the page while its card is carried elsewhere. */
  const [origin, setOrigin] = useState<number | null>(null)

  const go = (index: number) => {
    const slug = columns[index]?.stage.slug
    if (slug !== undefined) onStage(slug)
  }
  const select = (index: number) => (index === shown ? scrollToTop(root.current) : go(index))
  // In slices, once the gestures are here: a touch meanwhile is not kept waiting.
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
 * The stage on screen: the one that the address names, or while pages move the one nearest. Where the address goes
 * further than to a neighbour, the stage before fades away over the one that takes its place.
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
