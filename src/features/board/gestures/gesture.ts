// The interface between the phone's board and its gestures.
import type { RefObject } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { Column } from '../ground/board-view.ts'
import type { BoardMoves } from '../moves/use-board-moves.ts'
import type { CardListHandle } from '../ground/use-card-focus.ts'

export type GestureBoard = {
  root: RefObject<HTMLDivElement | null>
  /** The columns on screen, which stay unchanged during a drag; `newest` are the current ones. */
  columns: readonly Column[]
  newest: readonly Column[]
  /** The index of the stage that the address names. */
  active: number
  /** The index of the stage on screen. */
  shown: number
  lists: ReadonlyMap<string, CardListHandle>
  moves: BoardMoves
  /** Called with true if gestures position the pages and tabs, with false if React does. */
  onDrive: (isDriven: boolean) => void
  onNear: (index: number) => void
  onTarget: (index: number) => void
  onHold: (isDragged: boolean) => void
  /** Keeps this stage rendered, whichever page is shown; null keeps none. */
  onOrigin: (index: number | null) => void
}

export type Point = { x: number; y: number }

type Box = { top: number; left: number; width: number; height: number }

/** The start of a touch. It holds all sizes that a gesture needs, so that nothing is measured during a movement. */
export type Grip = Point & { card: GrippedCard | null }

export type GrippedCard = {
  article: HTMLElement
  /** The card's box on the screen. */
  box: Box
  page: Element
  /** The card's box within its page, which scrolling does not change. */
  inPage: Box
  pages: Element
  /** The top and bottom of the visible part of the pages. */
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

/** One gesture. The pointer calls `begin` before all others. */
export type Gesture = {
  begin: (grip: Grip) => void
  /** `moved` is the distance from the drag's origin, `at` the current point. */
  move: (moved: Point, at: Point) => void
  end: (release: Release) => void
  /** Returns everything to its place. */
  cancel: () => void
}

/** Returns the lead as it is now, whichever stage it is in; undefined if it left the board. */
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

/** Highlights the tab of the stage where a card would land; null highlights none. */
export function aimAt(root: HTMLElement, index: number | null) {
  tabsOf(root).forEach((tab, at) => {
    if (at === index) tab.dataset['aimed'] = ''
    else delete tab.dataset['aimed']
  })
}
