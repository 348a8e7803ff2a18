// Checks every screen by axe, in a size and a theme, once its content is loaded.
import type { Page } from '@playwright/test'
import { enterAsAdmin, enterAsBroker, expect, expectAccessible } from '#tests/support/browser/story.ts'

/** An administrator's screens about the account and the system. */
export const ACCOUNT_SCREENS = [
  '/conta',
  '/administradores',
  '/integracoes',
  '/auditoria',
  '/dados',
  '/saude',
]

export async function expectAllAccessible(page: Page, colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.goto('/login')
  await expect(page.getByLabel('Usuário')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/panel')
  await expect(page.getByLabel('Usuário Administrador')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/test-supabase')
  await expect(page.getByText('Acessível')).toBeVisible()
  await expectAccessible(page)

  await enterAsBroker(page)
  await expect(page.getByRole('article').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Conta de/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)

  await enterAsAdmin(page)
  await expect(page.getByRole('article', { name: 'Camila', exact: true })).toContainText(/\d+ ?contatos/)
  await expectAccessible(page)
  await page.goto('/reports')
  await expect(page.locator('.apexcharts-svg')).toHaveCount(5)
  await expectAccessible(page)
  await page.goto('/remarketing')
  await expect(page.getByRole('table', { name: 'Resumo por Corretor' })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/crm')
  await expect(page.getByRole('list', { name: 'Corretores selecionados' })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/prompts')
  await expect(page.getByRole('article').first()).toBeVisible()
  await expectAccessible(page)
  await page.goto('/roleta')
  await expect(page.getByRole('listitem').filter({ hasText: 'Mirante do Lago' })).toBeVisible()
  await expectAccessible(page)
}
