// An app killed with a full outbox, or during a send, loses nothing and does nothing twice.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { CHROMIUM_ARGS } from '#tests/support/runner/chromium.mjs'
import { expect } from '#tests/support/browser/story.ts'
import {
  card,
  enterAndSettle,
  move,
  note,
  ON_THE_DEVICE,
  test as base,
  waitingOn,
} from '#tests/e2e/outbox.ts'

/** Kills every process of that browser, found by its profile. */
function kill(profile: string) {
  const pids = execFileSync('pgrep', ['-f', `user-data-dir=${profile}`])
    .toString()
    .trim()
    .split('\n')
  for (const pid of pids) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // The process ended with its parent.
    }
  }
}

/** The app on one profile. It can be killed like an app swept away, and started again. */
const test = base.extend<{
  app: {
    start: () => Promise<{ context: BrowserContext; page: Page }>
    kill: (of: BrowserContext) => Promise<void>
  }
}>({
  app: async ({ portalUrl, viewport }, use) => {
    const profile = await mkdtemp(path.join(tmpdir(), 'portal-profile-'))
    const start = async () => {
      const context = await chromium.launchPersistentContext(profile, {
        baseURL: portalUrl,
        ...(process.env['CHROMIUM_PATH'] ? { executablePath: process.env['CHROMIUM_PATH'] } : {}),
        args: CHROMIUM_ARGS,
        viewport,
        locale: 'pt-BR',
      })
      return { context, page: context.pages()[0] ?? (await context.newPage()) }
    }
    await use({
      start,
      kill: async (context) => {
        kill(profile)
        await context.close().catch(() => undefined)
      },
    })
    await rm(profile, { recursive: true, force: true })
  },
})

test.use(ON_THE_DEVICE)

test('fechado à força com a fila cheia: tudo segue na próxima vez que abre', async ({ app, other }) => {
  const { context, page } = await app.start()
  await enterAndSettle(page)
  await context.setOffline(true)
  await note(page, 'Rogério Bastos', 'Antes de fechar.')
  await note(page, 'Luciana Prado', 'Antes de fechar, também.')
  await move(page, 'Wesley Nogueira', 'Fechado')
  await expect.poll(() => waitingOn(page)).toHaveLength(3)
  await app.kill(context)

  const again = await app.start()
  await again.page.goto('/broker')
  await expect.poll(async () => (await other.lead('Rogério Bastos')).notes).toBe('Antes de fechar.')
  await expect.poll(async () => (await other.lead('Luciana Prado')).notes).toBe('Antes de fechar, também.')
  await expect.poll(async () => (await other.lead('Wesley Nogueira')).status).toBe('fechado')
  await again.context.close()
})

test('fechado à força no meio de um envio: nem perdido nem repetido', async ({ app, other }) => {
  const { context, page } = await app.start()
  await enterAndSettle(page)
  // The portal handles the request, but its response is dropped.
  await page.route('**/rpc/save_lead_notes', async (route) => void (await route.fetch()))
  await note(page, 'Rogério Bastos', 'No meio do envio.')
  await expect.poll(async () => (await other.lead('Rogério Bastos')).notes).toBe('No meio do envio.')
  await app.kill(context)
  // Someone else changes the note meanwhile, so that a second execution would show.
  await other.note((await other.lead('Rogério Bastos')).id, 'Escrita depois.')

  const again = await app.start()
  await again.page.goto('/broker')
  await expect(card(again.page, 'Rogério Bastos')).toContainText('Escrita depois.')
  await expect.poll(() => waitingOn(again.page)).toEqual([])
  expect((await other.lead('Rogério Bastos')).notes).toBe('Escrita depois.')
  await again.context.close()
})
