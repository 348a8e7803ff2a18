// A broker's data is available offline, until 'Sair'.
import { expect, expectAccessible } from '#tests/support/browser/story.ts'
import {
  card,
  enterAndSettle,
  heldOf,
  leave,
  messages,
  ON_THE_DEVICE,
  openConversation,
  test,
} from '#tests/e2e/local-data.ts'

test.use(ON_THE_DEVICE)

test('sem sinal o app abre com o quadro e as conversas já abertas', async ({ page, context }) => {
  await enterAndSettle(page)
  await openConversation(page, 'Rogério Bastos')
  await expect(messages(page).getByText('Consigo visitar no sábado')).toBeVisible()
  await expect.poll(() => heldOf(page, 'answers')).toBeGreaterThan(1)
  await context.setOffline(true)

  await page.goto('/broker')
  await expect(card(page, 'Marina Tavares')).toBeVisible()
  await expect(card(page, 'Rogério Bastos')).toContainText('Quer 3 quartos')
  await expect(page.getByText(/Sem conexão/).first()).toBeVisible()
  await openConversation(page, 'Rogério Bastos')
  await expect(messages(page).getByText('Consigo visitar no sábado')).toBeVisible()

  // A link to a lead opens it, too.
  await page.goto(page.url())
  await expect(messages(page).getByText('Consigo visitar no sábado')).toBeVisible()
  await expectAccessible(page)
})

test('Sair não deixa nada no aparelho', async ({ page, context }) => {
  await enterAndSettle(page)
  await openConversation(page, 'Rogério Bastos')
  await expect(messages(page).getByText('Consigo visitar no sábado')).toBeVisible()
  await page.goto('/broker')
  await leave(page)
  await expect(page).toHaveURL('/login')
  for (const store of ['leads', 'boards', 'answers', 'drafts', 'outbox'])
    await expect.poll(() => heldOf(page, store), store).toBe(0)
  await context.setOffline(true)
  await page.goto('/broker')
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Você precisa de internet para entrar')).toBeVisible()
})
