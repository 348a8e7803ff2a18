// Helpers for the dashboard.
import type { Locator, Page } from '@playwright/test'
import { numberIn } from '#tests/support/browser/number-in.ts'
import { enterAsAdmin } from '#tests/support/browser/story.ts'

/** The count in a figure's button: 'Novo Lead: 226, 31,4%. Ver leads' → 226. */
export async function countOf(figure: Locator): Promise<number> {
  const said = (await figure.getAttribute('aria-label')) ?? (await figure.locator('.sr-only').textContent())
  return numberIn(said, /: ([\d.]+)/)
}

export const kpi = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}:`) })

/** Without the header row. */
export const rowsOf = (table: Locator) =>
  table.getByRole('row').filter({ has: table.page().getByRole('cell') })

export const openReports = (page: Page) => enterAsAdmin(page, '/reports')
