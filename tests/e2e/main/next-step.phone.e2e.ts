// A next step is set offline, shown on the card and in 'Hoje', survives a reload and reaches the portal once.
import { expect, expectAccessible } from '#tests/support/browser/story.ts'
import { card, enterAndSettle, ON_THE_DEVICE, test, waitingOn } from '#tests/e2e/outbox.ts'

test.use(ON_THE_DEVICE)

const NAME = 'Luciana Prado'

test('sem sinal um próximo passo é marcado, aparece em Hoje e chega uma vez', async ({
  page,
  context,
  other,
}) => {
  await enterAndSettle(page)
  const { id } = await other.lead(NAME)
  await expect(page.getByRole('button', { name: /^Sem resposta \d/ })).toBeVisible()
  await page.getByRole('link', { name: /^Hoje/ }).click()
  await expect(page.getByRole('heading', { name: 'Esperando você' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Conversas' }).click()
  await context.setOffline(true)

  await card(page, NAME).focus()
  await page.keyboard.press('p')
  const sheet = page.getByRole('dialog', { name: 'Próximo passo' })
  await sheet.getByText('Tarefa', { exact: true }).click()
  await sheet.getByText('Amanhã 9h', { exact: true }).click()
  await sheet.getByRole('textbox', { name: 'Anotação' }).fill('Levar a planta')
  await sheet.getByRole('button', { name: 'Tarefa amanhã 9h' }).click()
  await expect(card(page, NAME)).toContainText('Na fila')

  await page.reload()
  await expect(card(page, NAME)).toContainText('Na fila')
  expect(await other.next(id)).toEqual([])

  await context.setOffline(false)
  await expect
    .poll(async () => (await other.next(id)).map(({ kind, note }) => [kind, note]))
    .toEqual([['task', 'Levar a planta']])
  await expect(card(page, NAME)).toContainText('Tarefa · amanhã 9h')
  await expect.poll(() => waitingOn(page)).toEqual([])
  for (const action of await other.next(id)) await other.finish(id, action.id)
  await expect(card(page, NAME)).not.toContainText('Tarefa · amanhã 9h')
})
