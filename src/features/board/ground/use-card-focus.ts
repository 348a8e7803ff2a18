// Makes one card of a list a tab stop, moves the focus with arrow keys, and focuses a lead's card even before it is in
// the page.
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
  /** Scrolls to the lead's card and focuses it. Does nothing if the list has no such card. */
  focusCard: (leadId: number) => void
  /** Focuses the card at that index; the last card if the list is shorter. */
  focusAt: (index: number) => void
}

type CardFocusOptions = {
  virtualizer: Virtualizer<HTMLElement, HTMLElement>
  leads: readonly Lead[]
  list: RefObject<HTMLElement | null>
  handle: Ref<CardListHandle> | undefined
}

const STEP: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Keeps the focused card's neighbours in the page, so that an arrow key finds them. */
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

/** Returns the card that contains the element, or that is the element; null outside of cards. */
export function cardOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest('article') : null
}

/** Focuses a lead's card. A card out of sight is in the page only one render after it was requested. */
function useFocusByName({ virtualizer, leads, list, handle }: CardFocusOptions) {
  const wantedId = useRef<number>(undefined)
  const giveFocus = () => {
    // Runs at each render during scrolling, so it returns early if no card is to be focused.
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

/** Returns the id of the lead that a card shows. */
export function leadIdOf(article: HTMLElement): number {
  return Number(article.dataset['lead'])
}
