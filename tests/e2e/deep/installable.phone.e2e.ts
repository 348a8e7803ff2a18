// The browser accepts the portal as an installable app.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { CHROMIUM_ARGS } from '#tests/support/runner/chromium.mjs'
import { expect, test } from '#tests/support/browser/story.ts'

test('o navegador aceita o portal como aplicativo, sem nenhuma ressalva', async ({ portalUrl, viewport }) => {
  // A window with a profile, because a private window can install nothing.
  const profile = await mkdtemp(path.join(tmpdir(), 'portal-profile-'))
  const context = await chromium.launchPersistentContext(profile, {
    ...(process.env['CHROMIUM_PATH'] ? { executablePath: process.env['CHROMIUM_PATH'] } : {}),
    args: CHROMIUM_ARGS,
    viewport,
  })
  try {
    const page = context.pages()[0] ?? (await context.newPage())
    await page.goto(portalUrl)
    await expect(page.getByLabel('Usuário')).toBeVisible()
    const session = await context.newCDPSession(page)
    const manifest = await session.send('Page.getAppManifest')
    expect([manifest.url, manifest.errors]).toEqual([`${portalUrl}/manifest.webmanifest`, []])
    expect((await session.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
    expect((await session.send('Page.getAppId')).appId).toBe(`${portalUrl}/`)
    await expectPictures(page, JSON.parse(manifest.data ?? '{}') as Manifest)
  } finally {
    await context.close()
    await rm(profile, { recursive: true, force: true })
  }
})

type Picture = { src: string; sizes: string }

type Manifest = { icons: Picture[]; screenshots: Picture[]; shortcuts: { icons: Picture[] }[] }

/** Each picture has the size in the manifest. */
async function expectPictures(page: Page, { icons, screenshots, shortcuts }: Manifest) {
  const pictures = [...icons, ...screenshots, ...shortcuts.flatMap((shortcut) => shortcut.icons)]
  const sizes = await page.evaluate(
    (sources) =>
      Promise.all(
        sources.map(async (src) => {
          const image = new Image()
          image.src = src
          await image.decode()
          return `${image.naturalWidth}x${image.naturalHeight}`
        }),
      ),
    pictures.map(({ src }) => src),
  )
  expect(sizes).toEqual(pictures.map((picture) => picture.sizes))
}
