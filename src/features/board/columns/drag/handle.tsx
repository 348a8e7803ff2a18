// The element that dnd-kit drags. One element serves all cards and is placed over the pressed one, because scrolling
// may unmount cards during a drag.
import { useDraggable } from '@dnd-kit/core'
import { type RefObject, type SyntheticEvent, useImperativeHandle } from 'react'
import { cardOf } from '../../ground/use-card-focus.ts'

/** `press` starts a drag if the event is on a card. */
export type Grip = { press: (event: SyntheticEvent) => void }

/** The pressed card: its lead, its column, and its box on the screen. */
export type Taken = { leadId: number; slug: string; box: DOMRect }

type DragGripProps = {
  grip: RefObject<Grip | null>
  taken: RefObject<Taken | null>
  isOff: boolean
}

const HANDLER: Readonly<Record<string, string>> = {
  mousedown: 'onMouseDown',
  touchstart: 'onTouchStart',
  keydown: 'onKeyDown',
}

export function DragGrip({ grip, taken, isOff }: DragGripProps) {
  const { listeners, node, setNodeRef } = useDraggable({ id: 'card', disabled: isOff })
  useImperativeHandle(grip, () => {
    const take = (card: Taken) => {
      taken.current = card
      const { left, top, width, height } = card.box
      const px = { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` }
      if (node.current) Object.assign(node.current.style, px)
    }
    return {
      press: (event) => {
        const before = taken.current
        const card = takenBy(event)
        if (!card) return
        take(card)
        listeners?.[HANDLER[event.type] ?? '']?.(event)
        // A drag of another card is in progress, so that card stays the dragged one.
        if (before && !('dndKit' in event.nativeEvent)) take(before)
      },
    }
  })
  return <div ref={setNodeRef} aria-hidden className="pointer-events-none invisible fixed" />
}

function takenBy({ target, nativeEvent }: SyntheticEvent): Taken | null {
  const card = cardOf(target)
  const slug = card?.closest<HTMLElement>('[data-stage]')?.dataset['stage']
  if (!card || slug === undefined || isElsewhere(nativeEvent, card)) return null
  return { leadId: Number(card.dataset['lead']), slug, box: card.getBoundingClientRect() }
}

/** True for a second finger, and for a key press on a button of the card. */
function isElsewhere(event: Event, card: HTMLElement): boolean {
  if (event instanceof KeyboardEvent) {
    return event.target !== card || event.repeat || event.altKey || event.ctrlKey || event.metaKey
  }
  return 'touches' in event && event instanceof TouchEvent && event.touches.length > 1
}
