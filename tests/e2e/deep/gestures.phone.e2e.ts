// A swipe on the phone's board, up to the portal and back; component tests cover the rest.
import type { Locator } from '@playwright/test'
import { card, felt, NEW, p, tab, test, title, touchCard, undo } from '#tests/support/browser/phone-board.ts'
import { expect } from '#tests/support/browser/story.ts'

/** The lead below it in its stage, a place that stays correct when messages arrive. */
function leadBelow(lead: Locator): Promise<string | undefined> {
  return lead.evaluate((node) => {
    const next = `[data-index="${Number(node.dataset['index']) + 1}"]`
    return node.closest('[role=tabpanel]')?.querySelector<HTMLElement>(next)?.dataset['lead']
  })
}

test('além do limite vai para o estágio vizinho, e Desfazer o traz de volta ao mesmo lugar', async ({
  page,
  pointer,
}) => {
  const rogerio = card(page, 'Rogério Bastos')
  const below = await leadBelow(rogerio)
  expect(below).toBeDefined()
  await touchCard(pointer, rogerio)
  await pointer.by(8 + 80, 0)
  const under = page.locator('[data-swipe]')
  await expect(under).toContainText('Mover para')
  await expect(under).toContainText('Conversa')
  expect(await felt(page)).toEqual([])
  await pointer.by(40, 0)
  await expect(tab(page, 'Conversa')).toHaveAttribute('data-aimed', '')
  expect(await felt(page)).toEqual([10])
  await pointer.up()
  await expect(rogerio).toHaveCount(0)
  await expect(title(page)).toHaveText('Novos Contatos (11)')
  await expect(tab(page, 'Conversa')).toContainText('9')
  await expect(page.getByText('Rogério foi para Conversa')).toBeVisible()
  expect(await felt(page)).toEqual([10, 15])
  expect(await p(page)).toBe(0)

  await undo(page).tap()
  await expect(title(page)).toHaveText(NEW)
  await expect.poll(() => leadBelow(rogerio)).toBe(below)
  await expect(rogerio).toHaveCSS('transform', 'none')
  expect(await felt(page)).toEqual([10, 15, 8])
})
