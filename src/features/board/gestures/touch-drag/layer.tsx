// The visible parts of a touch drag: the drag preview, and the screen sides that turn the page.
import { ChevronLeft, ChevronRight } from 'lucide-react'
import * as m from 'framer-motion/m'
import type { MotionValue } from 'framer-motion/dom'
import { useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { classNames } from '#ui/primitives/class-names.ts'
import { hueOf } from '#ui/primitives/hue.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import type { Column } from '#features/board/ground/board-view.ts'
import type { TouchDragView } from './preview.ts'

type TouchDragLayerProps = TouchDragView & { columns: readonly Column[]; shown: number }

export function TouchDragLayer({ element, box, pose, glow, pages, columns, shown }: TouchDragLayerProps) {
  const holder = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => holder.current?.replaceChildren(element), [element])
  return (
    <div aria-hidden inert data-carry>
      {createPortal(
        <>
          <Side side="left" glow={glow.left} to={columns[shown - 1]} />
          <Side side="right" glow={glow.right} to={columns[shown + 1]} />
        </>,
        pages,
      )}
      <m.div ref={holder} style={{ ...pose, ...box }} className="fixed z-40 rounded-card shadow-lift" />
    </div>
  )
}

type SideProps = { side: 'left' | 'right'; glow: MotionValue<number>; to: Column | undefined }

/** A glow at the screen's side, in the next stage's hue; grey if there is no stage. */
function Side({ side, glow, to }: SideProps) {
  return (
    <m.div
      aria-hidden
      data-hue={to ? hueOf(to.stage.slug, to.stage.hue) : undefined}
      style={{ opacity: glow }}
      className={classNames(
        'pointer-events-none absolute inset-y-0 z-30 flex w-11 items-center text-hue-dot',
        side === 'left'
          ? 'left-0 justify-start bg-linear-to-r pl-1'
          : 'right-0 justify-end bg-linear-to-l pr-1',
        to ? 'from-hue-dot/40 to-transparent' : 'from-border-strong/40 to-transparent',
      )}
    >
      {to && <Icon of={side === 'left' ? ChevronLeft : ChevronRight} size={24} />}
    </m.div>
  )
}
