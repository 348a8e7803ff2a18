// A list is rendered in slices: a scroll position reached between two of them stays.
import { createElement, Fragment } from 'react'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type * as Windowed from '#features/board/columns/windowed-cards.tsx'
import { leadRow } from '#tests/support/components/broker-portal.ts'
import { openBoard } from '#tests/support/components/phone-board.ts'

const scrolled = vi.hoisted(() => ({ to: 0 }))
vi.mock('#features/board/columns/windowed-cards.tsx', async (fetchIt) => {
  const { WindowedCards } = await fetchIt<typeof Windowed>()
  let hasScrolled = false
  /** React draws this after the list, so between the list's first render and its place in the page. */
  function Meanwhile({ scroller }: Pick<Parameters<typeof WindowedCards>[0], 'scroller'>) {
    if (!hasScrolled) scroller.current?.scrollTo(0, 3_000)
    hasScrolled ||= scroller.current !== null
    scrolled.to ||= scroller.current?.scrollTop ?? 0
    return null
  }
  return {
    WindowedCards: (props: Parameters<typeof WindowedCards>[0]) =>
      createElement(
        Fragment,
        null,
        createElement(WindowedCards, props),
        createElement(Meanwhile, { scroller: props.scroller }),
      ),
  }
})

test('quem rola enquanto a lista inteira é desenhada fica onde está', async () => {
  await openBoard(Array.from({ length: 60 }, (_, index) => leadRow(index + 1)))
  const panel = page.getByRole('tabpanel')
  await expect.poll(() => scrolled.to).toBe(3_000)
  await expect.poll(() => panel.element().querySelector('[aria-posinset="1"]')).toBeNull()
  await expect.element(panel.getByRole('article').first()).toBeVisible()
  // Measured cards are somewhat higher or lower than estimated.
  expect(panel.element().scrollTop).toBeGreaterThan(2_500)
})
