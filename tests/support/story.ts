// What every browser story has: the portal's address, a page whose console must stay silent, ways in, axe.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test as base, type Page } from '@playwright/test'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Story = {
  /** Console lines that this story causes on purpose; any other error or warning fails it. */
  expectedNoise: { patterns: RegExp[] }
  portalUrl: string
}

export const test = base.extend<Story>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from this pattern
  portalUrl: async ({}, use) => use(process.env['E2E_PORTAL_URL'] ?? ''),
  baseURL: async ({ portalUrl }, use) => use(portalUrl),
  expectedNoise: [{ patterns: [] }, { option: true }],
  page: async ({ page, expectedNoise }, use) => {
    const noise: string[] = []
    const note = (text: string) => {
      if (!expectedNoise.patterns.some((pattern) => pattern.test(text))) noise.push(text)
    }
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') note(message.text())
    })
    page.on('pageerror', (error) => note(error.message))
    await use(page)
    expect(noise, 'console errors and warnings').toEqual([])
  },
})

/** The browser itself reports a refused request; that is the story, not a fault. */
export const REFUSED = /the server responded with a status of (400|401|403|404|409|429)/
export const NO_NETWORK = /net::ERR_INTERNET_DISCONNECTED/

export async function enterAsBroker(page: Page, username = 'camila', password = 'demo-corretor') {
  await page.goto('/login')
  await page.getByLabel('Usuário').fill(username)
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByLabel('Senha', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page).toHaveURL(/\/broker/)
}

export async function enterAsAdmin(page: Page) {
  await page.goto('/panel')
  await page.getByLabel('Usuário Administrador').fill('admin')
  await page.getByLabel('Senha', { exact: true }).fill('demo-admin')
  await page.getByRole('button', { name: 'Entrar como Administrador' }).click()
  await expect(page).toHaveURL('/')
}

/** Fails with each violation's rule and place. */
export async function expectAccessible(page: Page) {
  // By the debugger's door: the page's own policy refuses foreign script, as it should.
  await page.evaluate(AXE)
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run: () => Promise<{
          violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[]
        }>
      }
    }
    const { violations: found } = await axe.run()
    return found.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map((node) => `${String(node.target)} ${node.failureSummary}`).join(' | ')}`,
    )
  })
  expect(violations).toEqual([])
}

export { expect }
