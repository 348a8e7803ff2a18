// A broker's offline changes are stored, shown and sent; conflicts with another device need a decision.
import { expect, expectAccessible } from '#tests/support/browser/story.ts'
import { card, enterAndSettle, move, note, ON_THE_DEVICE, queue, test, waitingOn } from '#tests/e2e/outbox.ts'

test.use(ON_THE_DEVICE)

test('sem sinal tudo entra na fila, aparece no lugar e segue sozinho quando o sinal volta', async ({
  page,
  context,
  other,
}) => {
  await enterAndSettle(page)
  const marina = await other.lead('Marina Tavares')
  await context.setOffline(true)
  await move(page, 'Marina Tavares', 'Negociação')
  await note(page, 'Rogério Bastos', 'Visita no sábado às 10h.')
  await expect(page.getByText('Sem conexão · 2 alterações na fila')).toBeVisible()
  await expect(card(page, 'Rogério Bastos')).toContainText('Visita no sábado às 10h.')
  await expect(card(page, 'Rogério Bastos')).toContainText('Na fila')

  await page.getByRole('button', { name: 'Ver fila' }).click()
  await expect(queue(page).getByText('Mover Marina Tavares para Negociação')).toBeVisible()
  await expect(queue(page).getByText('Nota sobre Rogério Bastos')).toBeVisible()
  await expect(queue(page).getByRole('button', { name: 'Enviar agora' })).toBeDisabled()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'light' })

  // An offline reload loses nothing.
  await page.reload()
  await expect(card(page, 'Rogério Bastos')).toContainText('Na fila')
  expect(await other.lead('Marina Tavares')).toEqual(marina)

  await context.setOffline(false)
  await expect.poll(async () => (await other.lead('Marina Tavares')).status).toBe('negociacao')
  await expect.poll(async () => (await other.lead('Rogério Bastos')).notes).toBe('Visita no sábado às 10h.')
  await expect(card(page, 'Rogério Bastos')).not.toContainText('Na fila')
  await expect(page.getByText('Sem conexão')).toBeHidden()
  await expect.poll(() => waitingOn(page)).toEqual([])
})

test('mudou em outro aparelho: os dois lados aparecem, e o corretor decide', async ({
  page,
  context,
  other,
}) => {
  await enterAndSettle(page)
  const wesley = await other.lead('Wesley Nogueira')
  await context.setOffline(true)
  await move(page, 'Wesley Nogueira', 'Conversa')
  await note(page, 'Rogério Bastos', 'Minha nota.')
  await other.move(wesley.id, 'negociacao')
  await other.note((await other.lead('Rogério Bastos')).id, 'Nota do outro aparelho.')
  await context.setOffline(false)

  await page.getByRole('button', { name: 'Resolver' }).first().click()
  const dialog = queue(page)
  await expect(dialog.getByText('Onde Wesley Nogueira deve ficar?')).toBeVisible()
  await expect(dialog).toContainText(
    /Você moveu para Conversa às .+ No outro aparelho foi para Negociação às/,
  )
  await expect(dialog).toContainText('A nota mudou enquanto você estava sem conexão.')
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Manter em Negociação' }).click()
  await expect(dialog.getByText('Onde Wesley Nogueira deve ficar?')).toBeHidden()
  await dialog.getByRole('button', { name: 'Juntar as duas' }).click()
  await expect(dialog.getByText('Tudo enviado.')).toBeVisible()
  expect((await other.lead('Wesley Nogueira')).status).toBe('negociacao')
  await expect
    .poll(async () => (await other.lead('Rogério Bastos')).notes)
    .toBe('Nota do outro aparelho.\n\nMinha nota.')
})
