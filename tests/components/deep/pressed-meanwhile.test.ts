// A list gets its windowing code while the mouse presses a card's button: the press still counts.
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type * as Windowed from '#features/board/columns/windowed-cards.tsx'
import { restOf, takeMouse } from '#tests/support/components/device.ts'
import { card, openBoard } from '#tests/support/components/phone-board.ts'
import { letTimeGoOn, stopTime } from '#tests/support/components/time.ts'

const code = vi.hoisted(() => Promise.withResolvers<void>())
vi.mock('#features/board/columns/windowed-cards.tsx', async (fetchIt) => {
  const windowed = await fetchIt<typeof Windowed>()
  await code.promise
  return windowed
})

/** Enough for React to draw the list, on a busy machine too. */
const FRAMES = 20

test('um botão apertado com o mouse enquanto a lista inteira chega ainda vale', async () => {
  await openBoard()
  const move = card('Rogério Bastos').getByRole('button', { name: /^Mover/ })
  const { left, width, middle } = await restOf(move)
  const pressed = move.element()
  const mouse = takeMouse()
  await mouse.to(left + width / 2, middle)
  // Otherwise it becomes a long press.
  stopTime()
  await mouse.down()
  code.resolve()
  await vi.dynamicImportSettled()
  for (let frame = 0; frame < FRAMES; frame++) await new Promise(requestAnimationFrame)
  await mouse.up()
  letTimeGoOn()
  await expect.element(page.getByRole('dialog', { name: 'Mover para' })).toBeVisible()
  await expect.poll(() => pressed.isConnected).toBe(false)
})
