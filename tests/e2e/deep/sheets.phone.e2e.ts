// Sheets and toasts under touch: pulled down, held, and not covering each other.
import { boxOf, restOf } from '#tests/support/browser/pointer.ts'
import { card, NEW, test, title, touchCard, undo } from '#tests/support/browser/phone-board.ts'
import { expect, REFUSED } from '#tests/support/browser/story.ts'

test.use({ expectedNoise: { patterns: [REFUSED] } })

test('uma folha se fecha puxada pelo título: longe ou depressa; menos, ela volta', async ({
  page,
  pointer,
}) => {
  const sheet = page.getByRole('dialog', { name: 'Mover para' })
  const open = async () => {
    await card(page, 'Rogério Bastos').getByRole('button', { name: /Mover/ }).tap()
    await expect(sheet).toBeVisible()
    return restOf(sheet.getByRole('heading'))
  }
  const rest = await open()
  await pointer.down(200, rest.middle)
  await pointer.by(0, 8 + 60)
  expect((await boxOf(sheet.getByRole('heading'))).y).toBeCloseTo(rest.y + 60, 0)
  await pointer.up()
  await expect
    .poll(async () => Math.round((await boxOf(sheet.getByRole('heading'))).y))
    .toBe(Math.round(rest.y))
  await pointer.down(200, rest.middle)
  await pointer.by(0, 8 + 110)
  await pointer.up()
  await expect(sheet).toBeHidden()

  expect(Math.round((await open()).y)).toBe(Math.round(rest.y))
  await pointer.down(200, rest.middle)
  await pointer.by(0, 60, 48)
  await pointer.flick()
  await expect(sheet).toBeHidden()
  await expect(title(page)).toHaveText(NEW)
})

test('um aviso não cobre a folha que se abre, e se aperta como antes', async ({ page, pointer }) => {
  const sheet = page.getByRole('dialog', { name: 'Mover para' })
  await card(page, 'Rogério Bastos').getByRole('button', { name: /Mover/ }).tap()
  await sheet.getByRole('menuitemradio', { name: /^Conversa/ }).tap()
  await expect(undo(page)).toBeVisible()
  await card(page, 'Luciana Prado').getByRole('button', { name: /Mover/ }).tap()
  const { y: top } = await restOf(sheet.getByRole('heading'))
  const toast = await boxOf(sheet.getByRole('button', { name: 'Desfazer' }))
  expect(toast.y + toast.height).toBeLessThan(top)
  // A touch, because the toast is not part of the sheet that it would pull.
  await pointer.down(toast.x + 20, toast.middle)
  await pointer.up()
  await expect(sheet).toBeVisible()
  await sheet.getByRole('button', { name: 'Fechar' }).tap()
  await expect(title(page)).toHaveText(NEW)
})

test('o aviso espera enquanto é tocado, e se vai puxado para baixo', async ({ page, pointer }) => {
  await page.clock.install()
  // Stops the clock, so that the press is no longer than the test says.
  await page.clock.pauseAt(Date.now() + 60_000)
  await touchCard(pointer, card(page, 'Rogério Bastos'))
  await pointer.by(200, 0)
  await pointer.up()
  await page.clock.runFor(1_000)
  const words = page.getByText('Rogério foi para Conversa')
  await expect(words).toBeVisible()
  const box = await boxOf(words)
  await pointer.down(box.x + 20, box.middle)
  await page.clock.runFor(10_000)
  await expect(words).toBeVisible()
  await pointer.by(0, 40)
  await pointer.up()
  await expect(words).toHaveCount(0)
  await page.clock.runFor(1_000)
  await page.keyboard.press('Control+z')
  await page.clock.runFor(1_000)
  await expect(title(page)).toHaveText(NEW)
  await expect(undo(page)).toHaveCount(0)
})
