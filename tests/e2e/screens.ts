// Checks every screen by axe, in a size and a theme, once its content is loaded.
import type { Locator, Page } from '@playwright/test'
import { enterAsAdmin, enterAsBroker, expect, expectAccessible } from '#tests/support/browser/story.ts'

/** An administrator's screens about the account and the system. */
export const ACCOUNT_SCREENS = [
  '/conta',
  '/administradores',
  '/equipes',
  '/integracoes',
  '/auditoria',
  '/dados',
  '/saude',
]

type Screen = readonly [address: string, seen: (page: Page) => Locator]

const titleOf = (page: Page) => page.locator('main').getByRole('heading').first()

/** Further screens of a broker, and what is seen once each is loaded. */
const BROKER_SCREENS: readonly Screen[] = [
  ['/broker/hoje', titleOf],
  ['/broker/remarketing', titleOf],
]

/** All screens of an administrator, and what is seen once each is loaded. */
export const ADMIN_SCREENS: readonly Screen[] = [
  ['/', (page) => page.getByRole('article', { name: 'Camila', exact: true }).getByText(/\d+ ?contatos/)],
  ['/reports', (page) => page.locator('.apexcharts-svg').nth(4)],
  ['/reports?secao=agora', titleOf],
  ['/reports?secao=roleta', titleOf],
  ['/resultado', (page) => page.getByRole('table', { name: 'Resultado por corretor' })],
  ['/origens', (page) => page.getByRole('table', { name: 'Custo por origem' })],
  ['/remarketing', (page) => page.getByRole('table', { name: 'Resumo por Corretor' })],
  ['/remarketing?nova=quem', (page) => page.getByText(/^[\d.]+ combinam? com as condições/)],
  ['/remarketing?nova=conferir', titleOf],
  ['/crm', (page) => page.getByRole('list', { name: 'Corretores selecionados' })],
  ['/crm?vista=estagios', titleOf],
  ['/prompts', (page) => page.getByRole('article').first()],
  ['/prompts?agente=1', titleOf],
  ['/prompts?agente=1&ver=chat', titleOf],
  ['/roleta', (page) => page.getByRole('listitem').filter({ hasText: 'Mirante do Lago' })],
  ['/empreendimentos', titleOf],
  ['/empreendimentos?id=1', titleOf],
  ['/empreendimentos?feed=1', titleOf],
  ...ACCOUNT_SCREENS.map((address): Screen => [address, titleOf]),
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
  for (const screen of BROKER_SCREENS) await expectScreenAccessible(page, screen)

  await enterAsAdmin(page)
  for (const screen of ADMIN_SCREENS) await expectScreenAccessible(page, screen)
}

async function expectScreenAccessible(page: Page, [address, seen]: Screen) {
  await page.goto(address)
  await expect(seen(page)).toBeVisible()
  await expect(page.locator('main .animate-pulse')).toHaveCount(0)
  await expectAccessible(page)
}
