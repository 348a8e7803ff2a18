// Every screen for axe, in a size and a theme.
import type { Page } from '@playwright/test'
import { enterAsAdmin, enterAsBroker, expect, expectAccessible } from '#tests/support/story.ts'

export async function expectAllAccessible(page: Page, colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  for (const address of ['/login', '/panel', '/test-supabase']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(page)
  }
  await enterAsBroker(page)
  await expect(page.getByRole('article').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: /camila/i }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sair' }).click()
  await expect(page).toHaveURL('/login')
  await enterAsAdmin(page)
  for (const address of ['/', '/reports', '/remarketing', '/crm', '/prompts', '/roleta']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(page)
  }
}
