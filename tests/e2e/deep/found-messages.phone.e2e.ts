// A broker finds what was said: at the portal by the beginnings of words, and without a signal in what the device
// stores.
import type { Page } from '@playwright/test'
import { expect, expectAccessible } from '#tests/support/browser/story.ts'
import {
  card,
  enterAndSettle,
  messages,
  ON_THE_DEVICE,
  openConversation,
  test,
} from '#tests/e2e/local-data.ts'

test.use(ON_THE_DEVICE)

const SAID = 'Consigo visitar no sábado de manhã, umas 10h?'
const found = (page: Page) => page.getByRole('region', { name: 'Mensagens' })
const result = (page: Page) => found(page).getByRole('listitem').filter({ hasText: SAID })

async function look(page: Page, words: string) {
  await page.getByRole('button', { name: 'Buscar contato' }).click()
  await page.getByRole('textbox', { name: 'Buscar contato' }).fill(words)
}

test('uma mensagem é achada sem acento pelo começo das palavras, e um toque abre a conversa nela', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await enterAndSettle(page)
  await look(page, 'SABADO manh')
  await expect(result(page)).toHaveCount(1)
  await expect(found(page)).toContainText('Nada nas conversas guardadas aqui.')
  await expect(result(page).locator('mark')).toHaveText(['sábado', 'manhã'])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectAccessible(page)
  }
  await result(page).getByRole('button').click()
  await expect(messages(page).getByText(SAID)).toBeInViewport()
})

test('sem sinal, também depois de recarregar, a busca acha o que o aparelho guarda', async ({
  page,
  context,
}) => {
  await enterAndSettle(page)
  await openConversation(page, 'Rogério Bastos')
  await expect(messages(page).getByText(SAID)).toBeVisible()
  await page.goBack()
  await context.setOffline(true)
  await page.reload()
  await expect(card(page, 'Rogério Bastos')).toBeVisible()
  await look(page, 'sabado visit')
  await expect(result(page)).toHaveCount(1)
  await expect(found(page)).toContainText('Sem conexão: só o que está no aparelho.')
  await result(page).getByRole('button').click()
  await expect(messages(page).getByText(SAID)).toBeInViewport()
  await context.setOffline(false)
})
