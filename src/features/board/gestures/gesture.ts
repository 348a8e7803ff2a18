// The interface between the phone's board and its gestures.
import type { RefObject } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { Column } from '../ground/board-view.ts'
import type { BoardMoves } from '../moves/use-board-moves.ts'
import type { CardListHandle } from '../ground/use-card-focus.ts'

export type GestureBoard = {
  root: RefObject<HTMLDivElement | null>
  /** As shown; frozen during a drag. */
  columns: readonly Column[]
  newest: readonly Column[]
  /** The stage in the address. */
  active: number
  /** The stage on screen. */
  shown: number
  lists: ReadonlyMap<string, CardListHandle>
  moves: BoardMoves
  /** Switches whether gestures position the pages and tabs, instead of React. */
  onDrive: (isDriven: boolean) => void
  onNear: (index: number) => void
  onTarget: (index: number) => void
  onHold: (isDragged: boolean) => void
  /** Keeps this stage in the page, whichever page is shown. */
  onOrigin: (index: number | null) => void
}

export type Point = { x: number; y: number }

type Box = { top: number; left: number; width: number; height: number }

/** The start of a touch, with all sizes that its gesture needs, so that nothing is measured during a movement. */
export type Grip = Point & { card: GrippedCard | null }

export type GrippedCard = {
  article: HTMLElement
  /** On the screen. */
  box: Box
  page: Element
  /** In its page, independent of scrolling. */
  inPage: Box
  pages: Element
  /** The visible area of the pages. */
  frame: { top: number; bottom: number }
}

export function gripOf(article: HTMLElement | null, at: Point): Grip {
  const page = article?.closest('[data-page]')
  const pages = page?.closest('[data-pages]')
  if (!article || !page || !pages) return { ...at, card: null }
  const { top, left, width, height } = article.getBoundingClientRect()
  const frame = pages.getBoundingClientRect()
  const inPage = { top: top - frame.top + page.scrollTop, left: left - frame.left, width, height }
  return { ...at, card: { article, box: { top, left, width, height }, page, inPage, pages, frame } }
}

export type Release = { dx: number; velocity: number }

/** One gesture; `begin` is called before the others. */
export type Gesture = {
  begin: (grip: Grip) => void
  /** `moved` is the distance from the drag's origin, `at` the current point. */
  move: (moved: Point, at: Point) => void
  end: (release: Release) => void
  /** Everything returns to its place. */
  cancel: () => void
}

/** The lead's current state in any stage; undefined if it left the board. */
export function findLead(columns: readonly Column[], leadId: number): Lead | undefined {
  for (const { leads } of columns) {
    const lead = leads.find(({ id }) => id === leadId)
    if (lead) return lead
  }
  return undefined
}

export function tabsOf(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[role="tab"]')]
}

/** Highlights the target stage of a card; null: none. */
export function aimAt(root: HTMLElement, index: number | null) {
  tabsOf(root).forEach((tab, at) => {
    if (at === index) tab.dataset['aimed'] = ''
    else delete tab.dataset['aimed']
  })
}
