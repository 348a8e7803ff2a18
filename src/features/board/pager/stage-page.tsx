// One stage as a page of the phone's board: its own scrolling list, or an empty state.
import { Inbox } from 'lucide-react'
import { memo, useCallback, useRef } from 'react'
import { classNames } from '#ui/primitives/class-names.ts'
import { State } from '#ui/feedback/state.tsx'
import type { Column } from '../ground/board-view.ts'
import type { CardActions } from '../ground/card-actions.ts'
import { CardList } from '../columns/card-list.tsx'
import type { ListPlace } from '../columns/list-shape.ts'
import { DROP_HINT, emptyStage } from '../ground/texts.ts'
import type { CardListHandle } from '../ground/use-card-focus.ts'

type StagePageProps = CardActions & {
  column: Column
  /** The page's number, from 0. */
  index: number
  /** The id of the tab panel; undefined for pages beside the screen. */
  panelId: string | undefined
  /** The id of the page's tab. */
  labelledBy: string
  /** True if the page fades out over the page that replaces it. */
  isFading: boolean
  onFaded: () => void
  /** Each stage's scroll position when it was last left. */
  places: Map<string, ListPlace>
  /** The mounted lists by stage, through which cards are focused. */
  lists: Map<string, CardListHandle>
}

export const StagePage = memo(function StagePage(props: StagePageProps) {
  const { column, index, panelId, labelledBy, isFading, onFaded, places, lists, ...actions } = props
  const { stage, leads } = column
  const scroller = useRef<HTMLDivElement>(null)
  const isShown = panelId !== undefined
  const keepList = useCallback(
    (list: CardListHandle | null) => {
      if (list) lists.set(stage.slug, list)
      else lists.delete(stage.slug)
    },
    [lists, stage.slug],
  )
  return (
    <div
      ref={scroller}
      {...(isShown && { id: panelId, role: 'tabpanel', 'aria-labelledby': labelledBy })}
      aria-hidden={!isShown || undefined}
      inert={!isShown}
      data-page={stage.slug}
      onAnimationEnd={({ target, currentTarget }) => isFading && target === currentTarget && onFaded()}
      style={{ left: `${index * 100}%` }}
      className={classNames(
        'isolate absolute inset-y-0 w-full touch-pan-y touch-pinch-zoom overflow-y-auto overscroll-contain px-4 pt-1 pb-4 [overflow-anchor:none]',
        // Pages beside the screen are painted only while the pages move.
        !isShown && !isFading && 'invisible group-data-moving/board:visible',
        isFading && 'z-1 animate-fade-out bg-bg',
      )}
    >
      {leads.length > 0 ? (
        <CardList
          leads={leads}
          density="roomy"
          label={stage.name}
          scroller={scroller}
          place={places.get(stage.slug)}
          ref={keepList}
          onLeave={(place) => places.set(stage.slug, place)}
          {...actions}
        />
      ) : (
        <State
          kind="empty"
          icon={Inbox}
          title={column.noneWords ?? emptyStage(stage.name)}
          hint={column.noneWords ? '' : DROP_HINT}
        />
      )}
    </div>
  )
})
