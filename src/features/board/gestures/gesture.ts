// What the gestures of the phone's board have in common: what they see of it, and what each of them does with a pointer.
import type { RefObject } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { Column } from '../board-view.ts'
import type { BoardMoves } from '../moves/use-board-moves.ts'
import type { CardListHandle } from '../columns/use-card-focus.ts'

export type GestureBoard = {
  root: RefObject<HTMLDivElement | null>
  /** As they are on screen; held while a card is in the hand. */
  columns: readonly Column[]
  newest: readonly Column[]
  /** The stage that the page's address names. */
  active: number
  /** The one on screen. */
  shown: number
  lists: ReadonlyMap<string, CardListHandle>
  moves: BoardMoves
  /** From now on, or no more, pages and rail stand where gestures paint them. */
  onDrive: (isDriven: boolean) => void
  onNear: (index: number) => void
  onTarget: (index: number) => void
  onHold: (isDragged: boolean) => void
  /** This stage stays in the page, wherever the pages turn. */
  onOrigin: (index: number | null) => void
}

export type Point = { x: number; y: number }

type Box = { top: number; left: number; width: number; height: number }

/** Where a pointer landed, with all sizes that its gesture needs: nothing is measured while it moves. */
export type Grip = Point & { card: GrippedCard | null }

export type GrippedCard = {
  article: HTMLElement
  /** On screen. */
  box: Box
  page: Element
  /** In its page, however far that is scrolled. */
  inPage: Box
  pages: Element
  /** The pages on screen. */
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

/** One gesture. All but `begin` come only after it. */
export type Gesture = {
  begin: (grip: Grip) => void
  /** `moved` from where the drag counts, which is now `at`. */
  move: (moved: Point, at: Point) => void
  end: (release: Release) => void
  /** Everything returns. */
  cancel: () => void
}

export function leadIdOf(article: HTMLElement): number {
  return Number(article.dataset['lead'])
}

/** The lead as it is now, wherever it stands; undefined: it left the board. */
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

/** Marks the stage that a card would go to; null: none. */
export function aimAt(root: HTMLElement, index: number | null) {
  tabsOf(root).forEach((tab, at) => {
    if (at === index) tab.dataset['aimed'] = ''
    else delete tab.dataset['aimed']
  })
}
