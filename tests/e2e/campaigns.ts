// Helpers that write, start and follow campaigns.
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { connect } from '#tests/support/browser/e2e-portal.ts'
import { call } from '#tests/support/portal.ts'
import { brokerNamed, tokenOf } from '#tests/support/browser/session.ts'
import { enterAsBroker, expect, overGateway } from '#tests/support/browser/story.ts'

export const CAMILA = 'corretor_camila'

/** Every message of a campaign waits for a poll, its typing time and the gap after the previous one. */
export const ENDED = { timeout: 120_000 }

export const tokenOfCamila = (origin: string) => tokenOf(origin, brokerNamed('camila'))

/** The broker's WhatsApp is connected, and no campaign is running. */
export const test = overGateway.extend<{ origin: string }>({
  origin: [
    async ({ whatsapp }, use) => {
      const { origin } = whatsapp
      await connect(whatsapp, { username: 'camila', number: '5511955550101' })
      await use(origin)
      await endCampaign(origin)
    },
    { auto: true },
  ],
})

export async function openRemarketing(page: Page) {
  await enterAsBroker(page, 'camila', '/broker/remarketing')
  await expect(page.getByRole('heading', { name: 'Nova campanha' })).toBeVisible()
}

export async function chooseKanban(page: Page, name: RegExp) {
  await page.getByRole('button', { name: /^Kanban/ }).click()
  await page.getByRole('menuitemradio', { name }).click()
}

export async function start(page: Page) {
  await page.getByRole('button', { name: /^Iniciar Remarketing/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Iniciar', exact: true }).click()
}

/** Ends a campaign that a test left running. */
async function endCampaign(origin: string) {
  const token = await tokenOfCamila(origin)
  const { body } = await call<{ campaign: { id: number } | null }>(`${origin}/api/campaigns/active`, {
    token,
  })
  if (body.campaign)
    await call(`${origin}/api/campaigns/${body.campaign.id}/stop`, {
      token,
      body: { operationId: randomUUID() },
    })
}
