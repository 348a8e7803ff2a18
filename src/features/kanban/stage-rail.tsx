// The stages at the foot of a phone's board: one tab each, under the thumb. DESIGN-SYSTEM 6, 9, 10; design/png/phone-02.
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { hueOf } from '#ui/hue.ts'
import type { Column } from './board-view.ts'
import { tabWords } from './texts.ts'

type StageRailProps = {
  columns: readonly Column[]
  active: number
  onSelect: (index: number) => void
  /** Id of the panel that the tabs fill; tab ids are made from it. */
  panelId: string
}

export const tabId = (panelId: string, index: number) => `${panelId}-tab-${index}`

export function StageRail({ columns, active, onSelect, panelId }: StageRailProps) {
  const rail = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const tab = rail.current?.children[active]
    if (!rail.current || !(tab instanceof HTMLElement)) return
    const middle = tab.offsetLeft + tab.offsetWidth / 2 - rail.current.clientWidth / 2
    rail.current.scrollTo({ left: middle, behavior: 'smooth' })
  }, [active])

  const onKeyDown = (event: KeyboardEvent) => {
    const last = columns.length - 1
    const target = { ArrowLeft: active - 1, ArrowRight: active + 1, Home: 0, End: last }[event.key]
    if (target === undefined || target < 0 || target > last) return
    event.preventDefault()
    onSelect(target)
    const tab = rail.current?.children[target]
    if (tab instanceof HTMLElement) tab.focus({ preventScroll: true })
  }

  return (
    <div className="relative z-20 shrink-0 bg-surface pt-2 pb-[max(8px,var(--safe-bottom))] shadow-rail after:pointer-events-none after:absolute after:inset-y-0 after:right-0 after:w-9 after:bg-linear-to-r after:from-transparent after:to-surface">
      {/* Its tabs take the focus, one at a time. */}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div
        ref={rail}
        role="tablist"
        aria-label="Estágios"
        onKeyDown={onKeyDown}
        className="scrollbar-none relative flex gap-1 overflow-x-auto px-3 py-1 scroll-px-3"
      >
        {columns.map(({ stage, total }, index) => (
          <button
            key={stage.slug}
            type="button"
            role="tab"
            id={tabId(panelId, index)}
            aria-selected={index === active}
            aria-controls={panelId}
            tabIndex={index === active ? 0 : -1}
            data-hue={hueOf(stage.slug)}
            onClick={() => onSelect(index)}
            className="group flex min-h-11 shrink-0 items-center gap-2 rounded-tab px-3.5 text-14 font-medium whitespace-nowrap text-text-2 transition-colors aria-selected:bg-hue-bg aria-selected:font-semibold aria-selected:text-hue-fg"
          >
            <span className="size-2 shrink-0 rounded-full bg-hue-dot" />
            {stage.name}
            <span className="text-text-3 tabular-nums group-aria-selected:text-current">
              {total}
              <span className="sr-only">{tabWords(total, index + 1, columns.length)}</span>
            </span>
          </button>
        ))}
      </div>
    </div>
  )
}
