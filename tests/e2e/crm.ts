// Helpers for the CRM and a broker's board beside it.
import type { Browser, Page } from '@playwright/test'
import { enterAsAdmin, enterAsBroker, expect } from '#tests/support/browser/story.ts'

export const side = (page: Page) => page.getByRole('navigation', { name: 'Corretores' })

export async function openCrm(page: Page, brokers = '') {
  await enterAsAdmin(page, `/crm${brokers && `?corretores=${brokers}`}`)
  if (brokers) await expect(page.getByRole('article').first()).toBeVisible()
}

export async function openBroker(browser: Browser, portalUrl: string, username: string) {
  const page = await browser.newPage({ baseURL: portalUrl, serviceWorkers: 'block' })
  await enterAsBroker(page, username)
  await expect(page.getByRole('article').first()).toBeVisible()
  return page
}
