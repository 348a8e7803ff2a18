// At each edge of the tab bar, a pill with the number of unread leads in the stages beyond it; a press scrolls there.
import { type CSSProperties, Fragment, type RefObject, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { countOf } from '#domain/count.ts'
import { wantsLessMotion } from '#ui/motion/motion.ts'
import type { Column } from '../ground/board-view.ts'

type Side = 'left' | 'right'

/** The board mounts the pills anew when the number of stages changes. */
type RailPillsProps = { root: RefObject<HTMLElement | null>; columns: readonly Column[] }

export function RailPills({ root, columns }: RailPillsProps) {
  const { rail, hidden } = useHiddenTabs(root)
  return rail && createPortal(<Pills {...{ rail, hidden, columns }} />, rail)
}

type PillsProps = { rail: Element; hidden: Hidden; columns: readonly Column[] }

function Pills({ rail, hidden, columns }: PillsProps) {
  return (['left', 'right'] as const).map((side) => {
    const beyond = columns.flatMap(({ stage, unread = 0 }, index) =>
      hidden.get(index) === side && unread > 0 ? [{ name: stage.name, unread, index }] : [],
    )
    const nearest = beyond.at(side === 'left' ? -1 : 0)
    if (!nearest) return null
    const count = beyond.reduce((sum, { unread }) => sum + unread, 0)
    const names = beyond.map(({ name }) => name).join(', ')
    return (
      <Fragment key={side}>
        <span aria-hidden style={fadeAt(side)} />
        <button
          type="button"
          aria-label={`${countOf(count, 'não lida', 'não lidas')} em ${names}. Ir para lá`}
          className="inline-flex size-11 items-center justify-center"
          style={{ ...PLACE, [side]: 4 }}
          onClick={() => showTab(rail, nearest.index)}
        >
          <span aria-hidden className={PILL} style={RINGED}>
            {side === 'left' ? `‹ ${count}` : `${count} ›`}
          </span>
        </button>
      </Fragment>
    )
  })
}

/** The pills lie over the tab bar's fading edge and over half visible tabs. */
const PLACE: CSSProperties = { position: 'absolute', zIndex: 2, top: 12 }
const PILL = 'unread-pill rounded-full bg-primary text-12 font-semibold text-on-primary tabular-nums'
const RINGED: CSSProperties = { boxShadow: '0 0 0 6px var(--color-surface)', whiteSpace: 'nowrap' }

/** Hides what lies half under a pill, such as another stage's number. */
const fadeAt = (side: Side): CSSProperties => ({
  position: 'absolute',
  zIndex: 1,
  insetBlock: 0,
  [side]: 0,
  width: 72,
  pointerEvents: 'none',
  background: `linear-gradient(to ${side}, transparent, var(--color-surface) 60%)`,
})

const tabsOf = (rail: Element) => [...rail.querySelectorAll('[role="tab"]')]

function showTab(rail: Element, index: number) {
  const behavior = wantsLessMotion() ? 'instant' : 'smooth'
  tabsOf(rail)[index]?.scrollIntoView({ inline: 'center', block: 'nearest', behavior })
}

/** Tabs that are completely out of sight, by index, with their side. */
type Hidden = ReadonlyMap<number, Side>

const NOTHING: { rail: Element | null; hidden: Hidden } = { rail: null, hidden: new Map() }

function useHiddenTabs(root: RefObject<HTMLElement | null>) {
  const [seen, setSeen] = useState(NOTHING)
  useEffect(() => {
    const rail = root.current?.querySelector('[data-rail]')
    if (!rail) return undefined
    const tabs = tabsOf(rail)
    const observer = new IntersectionObserver(
      (entries) =>
        setSeen(({ hidden: before }) => {
          const hidden = new Map(before)
          for (const { target, isIntersecting, boundingClientRect: box, rootBounds } of entries) {
            const index = tabs.indexOf(target)
            if (isIntersecting) hidden.delete(index)
            else hidden.set(index, box.left < (rootBounds?.left ?? 0) ? 'left' : 'right')
          }
          return { rail, hidden }
        }),
      { root: rail.querySelector('[role="tablist"]') },
    )
    for (const tab of tabs) observer.observe(tab)
    return () => observer.disconnect()
  }, [root])
  return seen
}
