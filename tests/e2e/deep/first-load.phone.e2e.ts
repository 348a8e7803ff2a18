// The requests of a phone from an empty cache to an idle board, because a weak signal pays for each.
import type { Route } from '@playwright/test'
import { createLatch } from '#tests/support/latch.ts'
import { enterByForm, expect, test } from '#tests/support/browser/story.ts'
import { watchWire } from '#tests/support/wire.ts'

test.use({ serviceWorkers: 'allow' })

/** The files that load before the first card is shown. */
const NEEDED = [
  'GET /login',
  'GET /assets/figtree-latin-wght-normal.woff2',
  'GET /assets/rolldown-runtime.js',
  'GET /assets/start.js',
  'GET /assets/start.css',
  'GET /assets/app.js',
  'POST /api/login/lookup',
  'POST /auth/v1/token',
  'GET /assets/board.js',
  'GET /api/instance',
  'POST /rest/v1/rpc/sync_board',
]
/** Animations, app maintenance, live events, and data that a conversation needs offline. */
const LATER = [
  'GET /assets/conversation.js',
  'GET /assets/conversation.css',
  'GET /assets/screens.js',
  'GET /assets/screens.css',
  'GET /assets/arrivals.js',
  'GET /api/events',
  'GET /api/roleta/mine',
  'GET /rest/v1/quick_replies',
]

const plain = (what: string) => what.replace(/\?.*/, '').replace(/-[\w-]{7,8}(?=\.\w+$)/, '')

test('até o quadro em repouso cada pedido uma vez, e nenhum a mais', async ({ page }) => {
  const wire = await watchWire(page)
  await page.addInitScript(settleOnBoard)
  // The board's response comes before the link's, the worse order.
  const isBoardHere = page.waitForResponse(/sync_board/)
  const holdUp = async (route: Route) => {
    await isBoardHere
    await page.evaluate(passFrames)
    await route.continue()
  }
  await page.route('**/api/instance', holdUp, { times: 1 })
  await enterByForm(page)
  await expect.poll(() => wire.until(Infinity).asked.map(plain)).toContain(LATER.at(-1))
  expect(
    wire
      .until(await wire.firstCardAtMs())
      .asked.map(plain)
      .toSorted(),
  ).toEqual(NEEDED.toSorted())
  const all = wire.until(Infinity).asked.map(plain)
  expect(all.toSorted()).toEqual([...NEEDED, ...LATER].toSorted())
})

test('quem toca num cartão recebe a conversa antes de tudo o que se carrega sozinho', async ({ page }) => {
  const wire = await watchWire(page)
  const held = createLatch()
  await page.route('**/assets/conversation-*.js', async (route) => {
    await held.opened
    await route.continue()
  })
  await enterByForm(page)
  const [read] = await Promise.all([
    page.waitForResponse(/whatsapp_messages/),
    page.locator('article').first().tap(),
  ])
  await read.finished()
  // Long enough for everything that would not wait: parts, maintenance, live events.
  await page.evaluate(passFrames)
  const ofBoard = [...NEEDED, 'GET /assets/conversation.js', 'GET /assets/conversation.css']
  const asked = wire.until(Infinity).asked.map(plain)
  expect(asked.toSorted()).toEqual([...ofBoard, 'GET /rest/v1/whatsapp_messages'].toSorted())
  held.open()
  await expect(page.locator('dialog[open] [data-line-menu]').first()).toBeVisible()
  await expect.poll(() => wire.until(Infinity).asked.map(plain)).toContain('GET /assets/arrivals.js')
  const messages = wire.until(Infinity).asked.filter((what) => what.includes('whatsapp_messages'))
  expect(messages).toHaveLength(1)
})

/**
 * A user who types for longer than a second and a half has the next chunk loaded meanwhile; the form's speed depends on
 * the machine.
 */
function settleOnBoard() {
  const begin = window.setInterval.bind(window)
  const later = (work: () => void, ms: number) => begin(() => document.querySelector('article') && work(), ms)
  Reflect.set(window, 'setInterval', later)
}

/** More frames than the parts after a first screen wait for. */
async function passFrames() {
  for (let left = 6; left > 0; left--) await new Promise(requestAnimationFrame)
}
