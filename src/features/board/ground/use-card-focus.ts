// One tab stop in a list of cards, arrow keys from card to card, and focus by lead, even for cards not in the page yet.
import type { Virtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Lead } from '#domain/lead/lead.ts'

export type CardListHandle = {
  /** Scrolls to the card and focuses it; without such a card nothing happens. */
  focusCard: (leadId: number) => void
  /** Focuses the card at that index, or the last one. */
  focusAt: (index: number) => void
}

type CardFocusOptions = {
  virtualizer: Virtualizer<HTMLElement, HTMLElement>
  leads: readonly Lead[]
  list: RefObject<HTMLElement | null>
  handle: Ref<CardListHandle> | undefined
}

const STEP: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** The cards beside the focused one are always in the page, so that a step needs no search. */
export function useCardFocus({ virtualizer, leads, list, handle }: CardFocusOptions) {
  const [focusedId, setFocusedId] = useState<number>()
  const items = virtualizer.getVirtualItems()
  const focused = items.find(({ index }) => leads[index]?.id === focusedId)
  useFocusByName({ virtualizer, leads, list, handle })

  const onFocus = ({ target }: { target: EventTarget }) =>
    setFocusedId(leads[Number(cardOf(target)?.dataset['index'])]?.id)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEP[event.key]
    const card = cardOf(event.target)
    if (step === undefined || !card || event.defaultPrevented) return
    event.preventDefault()
    const next = step > 0 ? card.nextElementSibling : card.previousElementSibling
    if (next instanceof HTMLElement) next.focus()
  }
  return { tabStop: (focused ?? items[0])?.index, onFocus, onKeyDown }
}

/** The card that contains the element, or is it. */
export function cardOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest('article') : null
}

/** A card out of sight is in the page one render after it was requested. */
function useFocusByName({ virtualizer, leads, list, handle }: CardFocusOptions) {
  const wantedId = useRef<number>(undefined)
  const giveFocus = () => {
    // Runs at each render while scrolling, so it avoids a useless search.
    if (wantedId.current === undefined) return
    const card = list.current?.querySelector<HTMLElement>(`[data-lead="${wantedId.current}"]`)
    if (!card) return
    wantedId.current = undefined
    card.focus()
  }
  useLayoutEffect(giveFocus)
  useImperativeHandle(handle, () => {
    const focusAt = (index: number) => {
      const at = Math.min(index, leads.length - 1)
      wantedId.current = leads[at]?.id
      if (wantedId.current === undefined) return
      virtualizer.scrollToIndex(at)
      giveFocus()
    }
    return {
      focusAt,
      focusCard: (leadId) => {
        const index = leads.findIndex(({ id }) => id === leadId)
        if (index >= 0) focusAt(index)
      },
    }
  })
}

/** The lead's id of a card. */
export function leadIdOf(article: HTMLElement): number {
  return Number(article.dataset['lead'])
}
