// An app killed with a full outbox, or during a send, loses nothing and does nothing twice.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium } from '@playwright/test'
import { CHROMIUM_ARGS } from '#tests/support/runner/chromium.mjs'
import { elsewhere } from '#tests/support/browser/elsewhere.ts'
import { expect } from '#tests/support/browser/story.ts'
import { card, enterAndSettle, move, note, ON_THE_DEVICE, test, waitingOn } from '#tests/e2e/outbox.ts'

test.use(ON_THE_DEVICE)

type Window = { portalUrl: string; viewport: { width: number; height: number } | null }

/** A browser that can be killed like an app swept away. */
async function launch(profile: string, { portalUrl, viewport }: Window): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    baseURL: portalUrl,
    ...(process.env['CHROMIUM_PATH'] ? { executablePath: process.env['CHROMIUM_PATH'] } : {}),
    args: CHROMIUM_ARGS,
    viewport,
    locale: 'pt-BR',
  })
}

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
      // It ended with its parent.
    }
  }
}

test('fechado à força com a fila cheia: tudo segue na próxima vez que abre', async ({
  portalUrl,
  viewport,
}) => {
  const other = await elsewhere(portalUrl)
  const profile = await mkdtemp(path.join(tmpdir(), 'portal-profile-'))
  try {
    const context = await launch(profile, { portalUrl, viewport })
    const page = context.pages()[0] ?? (await context.newPage())
    await enterAndSettle(page)
    await context.setOffline(true)
    await note(page, 'Rogério Bastos', 'Antes de fechar.')
    await note(page, 'Luciana Prado', 'Antes de fechar, também.')
    await move(page, 'Wesley Nogueira', 'Fechado')
    await expect.poll(() => waitingOn(page)).toHaveLength(3)
    kill(profile)
    await context.close().catch(() => undefined)

    const again = await launch(profile, { portalUrl, viewport })
    const reopened = again.pages()[0] ?? (await again.newPage())
    await reopened.goto('/broker')
    await expect.poll(async () => (await other.lead('Rogério Bastos')).notes).toBe('Antes de fechar.')
    await expect.poll(async () => (await other.lead('Luciana Prado')).notes).toBe('Antes de fechar, também.')
    await expect.poll(async () => (await other.lead('Wesley Nogueira')).status).toBe('fechado')
    await again.close()
  } finally {
    await rm(profile, { recursive: true, force: true })
  }
})

test('fechado à força no meio de um envio: nem perdido nem repetido', async ({ portalUrl, viewport }) => {
  const other = await elsewhere(portalUrl)
  const profile = await mkdtemp(path.join(tmpdir(), 'portal-profile-'))
  try {
    const context = await launch(profile, { portalUrl, viewport })
    const page = context.pages()[0] ?? (await context.newPage())
    await enterAndSettle(page)
    // The portal handles the request, but its response is dropped.
    await page.route('**/rpc/save_lead_notes', async (route) => void (await route.fetch()))
    await note(page, 'Rogério Bastos', 'No meio do envio.')
    await expect.poll(async () => (await other.lead('Rogério Bastos')).notes).toBe('No meio do envio.')
    kill(profile)
    await context.close().catch(() => undefined)
    // Someone else changes the note meanwhile, so that a second execution would show.
    await other.note((await other.lead('Rogério Bastos')).id, 'Escrita depois.')

    const again = await launch(profile, { portalUrl, viewport })
    const reopened = again.pages()[0] ?? (await again.newPage())
    await reopened.goto('/broker')
    await expect(card(reopened, 'Rogério Bastos')).toContainText('Escrita depois.')
    await expect.poll(() => waitingOn(reopened)).toEqual([])
    expect((await other.lead('Rogério Bastos')).notes).toBe('Escrita depois.')
    await again.close()
  } finally {
    await rm(profile, { recursive: true, force: true })
  }
})
