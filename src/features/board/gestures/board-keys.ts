// Controls the phone's board by keyboard: changes the stage, moves or drags a card, undoes the last move.
import { announce } from '#ui/feedback/toast.ts'
import { leadIdOf } from '../ground/use-card-focus.ts'
import type { TouchDrag } from './touch-drag/touch-drag.ts'
import { findLead, type GestureBoard, gripOf, tabsOf } from './gesture.ts'
import { DRAG_CANCELLED, droppedIn, FIRST_STAGE, LAST_STAGE, overStage, pickedUp } from '../moves/texts.ts'
import type { ListAnimation } from '../columns/list-animation.ts'
import { isUndo } from '../moves/undo-key.ts'

const STEP: Readonly<Record<string, 1 | -1>> = { ArrowLeft: -1, ArrowRight: 1 }

type KeysParts = {
  root: HTMLElement
  board: () => GestureBoard
  drag: TouchDrag
  listAnimation: ListAnimation
}

export function createBoardKeys({ root, board, drag, listAnimation }: KeysParts) {
  /** What gets the focus once the stage is shown: this lead's card, or the list's tab stop if `leadId` is null. */
  let wanted: { slug: string; leadId: number | null } | null = null
  /** The dragged lead and the stage where the drag began; null without a drag. */
  let held: { slug: string; leadId: number } | null = null
  const stageAt = (index: number) => board().columns[index]?.stage

  const turn = (by: 1 | -1) => {
    const slug = stageAt(board().shown + by)?.slug
    if (slug === undefined) return
    wanted = { slug, leadId: null }
    board().onTarget(board().shown + by)
  }
  const moveBy = (article: HTMLElement, by: 1 | -1) => {
    const leadId = leadIdOf(article)
    const lead = findLead(board().newest, leadId)
    const slug = stageAt(board().shown + by)?.slug
    if (slug === undefined) announce(by < 0 ? FIRST_STAGE : LAST_STAGE)
    else if (lead) listAnimation.close(leadId, () => board().moves.move(lead, slug, 'keys'))
  }
  const pickUp = (article: HTMLElement) => {
    const lead = findLead(board().newest, leadIdOf(article))
    const slug = stageAt(board().shown)?.slug
    if (!lead || slug === undefined) return
    held = { slug, leadId: lead.id }
    const { left, top, width, height } = article.getBoundingClientRect()
    drag.begin(gripOf(article, { x: left + width / 2, y: top + height / 2 }))
    announce(pickedUp(lead))
  }
  /** Handles all keys during a drag. */
  const continueDrag = (event: KeyboardEvent) => {
    const by = STEP[event.key]
    const { columns } = board()
    if (by) {
      const to = drag.step(by)
      announce(overStage(columns[to]?.stage.name ?? '', to + 1, columns.length))
    } else if (event.key === ' ') {
      const stage = columns[drag.drop()]?.stage
      if (stage) announce(droppedIn(stage.name))
      wanted = held && stage ? { ...held, slug: stage.slug } : held
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      drag.cancel()
      announce(DRAG_CANCELLED)
      wanted = held
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (drag.isOn()) return continueDrag(event)
    if (event.defaultPrevented || !(event.target instanceof HTMLElement)) return
    if (isUndo(event)) {
      event.preventDefault()
      return board().moves.undoLast()
    }
    const { target } = event
    if (!target.matches('article[data-lead]') || !root.contains(target)) return
    const by = STEP[event.key]
    if (event.key === ' ') pickUp(target)
    else if (by && event.altKey) moveBy(target, by)
    else if (by) turn(by)
    else return
    event.preventDefault()
  }
  document.addEventListener('keydown', onKeyDown, true)
  return {
    /** The board calls this after each of its renders. */
    see: () => {
      const { columns, shown, lists } = board()
      const column = columns[shown]
      if (!wanted || column?.stage.slug !== wanted.slug) return
      const { slug, leadId } = wanted
      if (leadId === null) {
        const card = root.querySelector<HTMLElement>('[role="tabpanel"] article[tabindex="0"]')
        const goal = card ?? tabsOf(root)[shown]
        goal?.focus({ preventScroll: true })
      } else if (column.leads.some(({ id }) => id === leadId)) lists.get(slug)?.focusCard(leadId)
      else return
      wanted = null
    },
    end: () => document.removeEventListener('keydown', onKeyDown, true),
  }
}
