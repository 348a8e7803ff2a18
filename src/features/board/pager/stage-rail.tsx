// The stages' tabs at the foot of a phone's board, in reach of the thumb. The pill behind them follows the pages.
import { countOf } from '#domain/count.ts'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { hueOf } from '#ui/primitives/hue.ts'
import type { Column } from '../ground/board-view.ts'
import { UnreadPill } from '../card/unread-pill.tsx'
import { Count } from '../card/rolling-count.tsx'

/** Text for screen readers after a tab's name and count, for example ' contatos, estágio 1 de 5'. */
const tabWords = (count: number, position: number, total: number) =>
  ` ${count === 1 ? 'contato' : 'contatos'}, estágio ${position} de ${total}`

type StageRailProps = {
  columns: readonly Column[]
  active: number
  onSelect: (index: number) => void
  /** The id of the tab panel, from which the tabs' ids are derived. */
  panelId: string
  /** True if gestures position the pill and scroll the tab bar. */
  isDriven: boolean
}

export const tabId = (panelId: string, index: number) => `${panelId}-tab-${index}`

export function StageRail({ columns, active, onSelect, panelId, isDriven }: StageRailProps) {
  const rail = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (isDriven) return undefined
    // Reads positions in the next frame, after its regular layout. An earlier read would force a second layout.
    const frame = requestAnimationFrame(() => {
      const tab = rail.current?.querySelectorAll('[role="tab"]')[active]
      if (!rail.current || !(tab instanceof HTMLElement)) return
      rail.current.scrollLeft = tab.offsetLeft + tab.offsetWidth / 2 - rail.current.clientWidth / 2
    })
    return () => cancelAnimationFrame(frame)
  }, [active, isDriven])

  const onKeyDown = (event: KeyboardEvent) => {
    const last = columns.length - 1
    const target = { ArrowLeft: active - 1, ArrowRight: active + 1, Home: 0, End: last }[event.key]
    if (target === undefined || target < 0 || target > last) return
    event.preventDefault()
    onSelect(target)
    const tab = rail.current?.querySelectorAll('[role="tab"]')[target]
    if (tab instanceof HTMLElement) tab.focus({ preventScroll: true })
  }

  return (
    <div
      data-rail
      className="rail relative z-20 shrink-0 bg-surface pt-2 pb-[max(8px,var(--safe-bottom))] shadow-rail select-none"
    >
      {/* The tabs inside take the focus, one at a time. */}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div
        ref={rail}
        role="tablist"
        aria-label="Estágios"
        onKeyDown={onKeyDown}
        // The scroll container itself needs this style: a touch-action of its parent does not affect it.
        style={isDriven ? { touchAction: 'none' } : undefined}
        className="scrollbar-none relative flex gap-1 overflow-x-auto px-3 py-1 scroll-px-3"
      >
        {isDriven && <Pill />}
        {columns.map(({ stage, total, unread }, index) => (
          <button
            key={stage.slug}
            type="button"
            role="tab"
            id={tabId(panelId, index)}
            aria-selected={index === active}
            aria-controls={panelId}
            tabIndex={index === active ? 0 : -1}
            data-hue={hueOf(stage.slug, stage.hue)}
            data-driven={isDriven || undefined}
            onClick={() => onSelect(index)}
            className="tab group"
          >
            <span className="tab-dot" />
            <span data-words={stage.name} className="tab-words">
              {stage.name}
            </span>
            <span className="tab-count">
              <Count value={total} />
              <span className="sr-only">{tabWords(total, index + 1, columns.length)}</span>
            </span>
            {unread ? (
              <>
                <span className="sr-only">{`, ${countOf(unread, 'não lida', 'não lidas')}`}</span>
                <UnreadPill count={unread} />
              </>
            ) : null}
          </button>
        ))}
      </div>
    </div>
  )
}

/**
 * Two pills, one in the old stage's hue and one in the new stage's above it. Each has two round ends and a stretched
 * middle.
 */
function Pill() {
  return (
    <>
      <PillIn part="from" />
      <PillIn part="to" />
    </>
  )
}

function PillIn({ part }: { part: string }) {
  return (
    <span aria-hidden data-pill={part} className="pill">
      <span className="w-4 rounded-l-tab" />
      <span className="w-px origin-left" />
      <span className="w-4 rounded-r-tab" />
    </span>
  )
}
