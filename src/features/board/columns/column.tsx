// One stage as a column: its name and count, its cards, and a gap where a dragged card would land.
import { ChevronsRightLeft } from 'lucide-react'
import { memo, type RefObject, useId, useRef } from 'react'
import { countOf, formatNumber } from '#domain/count.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { hueOf } from '#ui/primitives/hue.ts'
import type { Column } from '../ground/board-view.ts'
import { CardList } from './card-list.tsx'
import type { CardActions } from '../ground/card-actions.ts'
import { UnreadPill } from '../card/unread-pill.tsx'
import { DROP_HINT, emptyStage } from '../ground/texts.ts'
import type { CardListHandle } from '../ground/use-card-focus.ts'
import type { Fold } from './use-folding.ts'

/** Gap between two cards, in px. */
const GAP = 8

const COLUMN =
  'relative flex scroll-mx-4 flex-col rounded-card bg-surface-2 after:pointer-events-none after:absolute after:inset-0 after:z-1 after:hidden after:rounded-card after:border-2 after:border-hue-dot data-target:after:block'

export type StageColumnProps = CardActions & {
  column: Column
  /** The lists of all mounted columns, by stage. */
  lists: RefObject<Map<string, CardListHandle>>
  hasTabStop: boolean
  /** The dragged lead if its drag began in this column or has just ended here. */
  draggedId: number | undefined
  /** Height in px of the gap for a dragged card; undefined while no card is over this column. */
  slotHeight: number | undefined
  /** Whether this column is folded into a strip; undefined if it cannot be folded. */
  fold: Fold | undefined
  onFold: (slug: string, fold: Fold) => void
}

export const StageColumn = memo(function StageColumn({
  column: { stage, leads, total, unread, isFiltered },
  lists,
  slotHeight,
  fold,
  onFold,
  ...list
}: StageColumnProps) {
  const titleId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const register = (handle: CardListHandle | null) => {
    if (handle) lists.current.set(stage.slug, handle)
    else lists.current.delete(stage.slug)
  }
  if (fold === 'folded')
    return <Strip {...{ stage, total, unread, onFold }} isTarget={slotHeight !== undefined} />
  return (
    <section
      aria-labelledby={titleId}
      data-stage={stage.slug}
      data-hue={hueOf(stage.slug, stage.hue)}
      data-target={slotHeight === undefined ? undefined : true}
      className={`${COLUMN} min-w-[max(--spacing(53),13.25rem)] flex-1`}
    >
      <Head {...{ titleId, stage, total, unread, fold, onFold }} />
      <div className="relative flex min-h-0 grow flex-col overflow-hidden rounded-b-card">
        {slotHeight !== undefined && (
          <div
            aria-hidden
            data-slot
            style={{ height: slotHeight }}
            className="absolute inset-x-2 top-1 rounded-tab border-2 border-dashed border-hue-dot opacity-55"
          />
        )}
        {/* A transform moves the cards without a new layout. The background lets the list scroll without repainting. */}
        <div
          ref={scroller}
          data-cards
          style={slotHeight === undefined ? undefined : { translate: `0 ${slotHeight + GAP}px` }}
          className={classNames(
            '[overflow-anchor:none] min-h-0 grow overflow-y-auto bg-surface-2 contain-strict overscroll-y-contain px-2 pt-1 pb-2 typing:pt-0',
            // After a drop the list moves without a transition, because the dropped card must be in place at once.
            list.draggedId === undefined && 'transition-[translate]',
          )}
        >
          {leads.length > 0 ? (
            <CardList
              ref={register}
              leads={leads}
              density="compact"
              label={stage.name}
              scroller={scroller}
              {...list}
            />
          ) : (
            total === 0 && (
              <p className="rounded-tab border border-dashed border-border-strong px-4 py-8 text-center text-13 text-text-2">
                {!isFiltered && (
                  <span className="block font-medium wrap-anywhere">{emptyStage(stage.name)}</span>
                )}
                {DROP_HINT}
              </p>
            )
          )}
        </div>
      </div>
    </section>
  )
})

type HeadProps = Pick<StageColumnProps, 'fold' | 'onFold'> &
  Pick<Column, 'stage' | 'total' | 'unread'> & { titleId: string }

function Head({ titleId, stage, total, unread, fold, onFold }: HeadProps) {
  return (
    <h2 className="flex min-h-11.5 shrink-0 items-center gap-2 px-4 text-14 font-semibold">
      <span aria-hidden className="size-2 shrink-0 rounded-full bg-hue-dot" />
      <span id={titleId} className="flex min-w-0 gap-2">
        <span className="truncate" title={stage.name}>
          {stage.name}
        </span>
        <Count total={total} />
      </span>
      <span className="ml-auto flex">
        <Unread count={unread} />
      </span>
      {fold && (
        <span className="-mr-2 flex">
          <IconButton
            icon={ChevronsRightLeft}
            label={`Recolher ${stage.name}`}
            variant="quietSmall"
            onClick={() => onFold(stage.slug, 'folded')}
          />
        </span>
      )}
    </h2>
  )
}

const Count = ({ total }: { total: number }) => (
  <span className="font-regular text-text-3 tabular-nums">({formatNumber(total)})</span>
)

const Unread = ({ count }: { count: number | undefined }) =>
  count ? (
    <>
      <span className="sr-only">{`, ${countOf(count, 'não lida', 'não lidas')}`}</span>
      <UnreadPill count={count} />
    </>
  ) : null

type StripProps = Pick<StageColumnProps, 'onFold'> &
  Pick<Column, 'stage' | 'total' | 'unread'> & { isTarget: boolean }

/** A folded column. A press opens it; a card can be dropped on it as on an open column. */
function Strip({ stage, total, unread, isTarget, onFold }: StripProps) {
  const titleId = useId()
  return (
    <section
      aria-labelledby={titleId}
      data-stage={stage.slug}
      data-hue={hueOf(stage.slug, stage.hue)}
      data-target={isTarget || undefined}
      className={`${COLUMN} w-11 shrink-0`}
    >
      <h2 id={titleId} className="flex grow flex-col text-14 font-semibold">
        <button
          type="button"
          aria-expanded={false}
          onClick={() => onFold(stage.slug, 'open')}
          className="flex grow items-center gap-2 pt-4 pb-4 [writing-mode:vertical-rl]"
        >
          <span aria-hidden className="size-2 shrink-0 rounded-full bg-hue-dot" />
          {stage.name} <Count total={total} />
        </button>
        <span className="flex justify-center pb-3">
          <Unread count={unread} />
        </span>
      </h2>
    </section>
  )
}
