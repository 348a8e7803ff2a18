// The base of every browser test: the portal's address, a page whose console must stay silent, sign-in, axe.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test as base, type Page } from '@playwright/test'
import { isAtRest } from '../at-rest.ts'
import { startDemo, startDemoOverGateway, type WhatsApp } from './e2e-portal.ts'
import { ADMIN, brokerNamed, sessionOf, type Person } from './session.ts'
import { putSession } from './device.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Maximum start time of a portal on a busy machine. */
const START_MS = 300_000

type Story = {
  /** Console lines that this test causes on purpose; any other error or warning fails it. */
  expectedNoise: { patterns: RegExp[] }
  portalUrl: string
  /** Whether this test may end while the outbox still has entries. */
  leavesWaiting: boolean
}

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const DESK = { viewport: { width: 1440, height: 900 } }

/** Each is started once per worker, by the first test that needs it. */
type Portals = {
  /** The plain demonstration: its brokers are connected, and no lead writes unprompted. */
  demo: string
  /** A second portal, over a gateway whose faults the tests set. */
  whatsapp: WhatsApp
}

export const test = base.extend<Story, Portals>({
  demo: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from this pattern
    async ({}, use) => {
      const { origin, stop } = await startDemo()
      await use(origin)
      await stop()
    },
    { scope: 'worker', timeout: START_MS },
  ],
  whatsapp: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from this pattern
    async ({}, use) => {
      const { stop, ...whatsapp } = await startDemoOverGateway()
      await use(whatsapp)
      await stop()
    },
    { scope: 'worker', timeout: START_MS },
  ],
  // Set here instead of by a project for each device, because a worker with its portals serves only one project.
  contextOptions: async ({ contextOptions }, use, { file }) =>
    use({ ...contextOptions, ...(file.endsWith('.desk.e2e.ts') ? DESK : PHONE) }),
  portalUrl: async ({ demo }, use) => use(demo),
  baseURL: async ({ portalUrl }, use) => use(portalUrl),
  expectedNoise: [{ patterns: [] }, { option: true }],
  leavesWaiting: [false, { option: true }],
  page: async ({ page, expectedNoise, leavesWaiting }, use) => {
    const noise: string[] = []
    const note = (text: string, from = '') => {
      if (![NO_WORKER, ...expectedNoise.patterns].some((pattern) => pattern.test(text)))
        noise.push(`${text} ${from}`.trim())
    }
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        note(message.text(), message.location().url)
    })
    page.on('pageerror', (error) => note(error.message))
    await use(page)
    // The device ends with the test; unsent entries would leave the next test with half of the changes.
    if (!leavesWaiting && !page.isClosed() && page.url().startsWith('http'))
      await expect.poll(() => unsentOn(page), 'what the story did has reached the portal').toBe(0)
    expect(noise, 'console errors and warnings').toEqual([])
    // Pending answers of mocked routes are not needed any more.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
})

/** Tests on the portal over the gateway. */
export const overGateway = test.extend({ portalUrl: async ({ whatsapp }, use) => use(whatsapp.origin) })

/** Playwright's message when a test without a service worker tries to register one. */
const NO_WORKER = /^Service Worker registration blocked by Playwright$/
/** The browser reports each refused request; in these tests that is no fault. */
export const REFUSED = /the server responded with a status of (400|401|403|404|409|429)/
const NO_SCRIPT = 'error occurred when fetching the script'
/** Browser messages while offline, about its own requests, the worker's, and the worker's script. */
export const NO_NETWORK = new RegExp(`net::ERR_(INTERNET_DISCONNECTED|FAILED)|${NO_SCRIPT}`)
/** Messages while the portal stops, is down, or is starting. */
export const PORTAL_AWAY = new RegExp(
  `net::ERR_(CONNECTION_|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED)|status of 503|${NO_SCRIPT}`,
)

/** Stores a session of the portal where the app stores its own; the login forms have tests of their own. */
async function enterAs(page: Page, person: Person, address: string) {
  await page.goto('/manifest.webmanifest')
  const session = await sessionOf(new URL(page.url()).origin, person)
  await putSession(page, JSON.stringify(session))
  await page.goto(address)
}

export async function enterAsBroker(page: Page, username = 'camila', address = '/broker') {
  await enterAs(page, brokerNamed(username), address)
  await expect(page).toHaveURL(/\/broker/)
}

export async function enterAsAdmin(page: Page, address = '/') {
  await enterAs(page, ADMIN, address)
  await expect(page.getByRole('button', { name: /^Conta de/ })).toBeVisible()
}

/** Opens an address after a closed sheet's step back has finished; that step would cancel the navigation. */
export async function goTo(page: Page, address: string) {
  await expect.poll(() => page.evaluate(() => String(history.state?.layer))).toBe('undefined')
  await page.goto(address)
}

/** Signs in through the form, for a device that stores nothing. */
export async function enterByForm(page: Page) {
  await page.goto('/login')
  await page.getByLabel('Usuário').fill('camila')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByLabel('Senha', { exact: true }).fill('demo-corretor')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page).toHaveURL(/\/broker/)
}

/** The number of outbox entries that are still being sent. */
function unsentOn(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('portal')
        opening.addEventListener('error', () => resolve(0))
        opening.addEventListener('success', () => {
          const db = opening.result
          const end = (count: number) => {
            db.close()
            resolve(count)
          }
          if (!db.objectStoreNames.contains('outbox')) return end(0)
          const reading = db.transaction('outbox').objectStore('outbox').getAll()
          reading.addEventListener('success', () =>
            end(
              reading.result.filter(({ state }: { state: string }) => state === 'queued' || state === 'sent')
                .length,
            ),
          )
          reading.addEventListener('error', () => end(0))
        })
      }),
  )
}

/** Fails with each violation's rule and place. */
export async function expectAccessible(page: Page) {
  // Through the debugger protocol, because the page's policy blocks foreign scripts.
  await page.evaluate(AXE)
  // A fading element has its final colours only at the end.
  await page.waitForFunction(isAtRest)
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run: (options: object) => Promise<{
          violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[]
        }>
      }
    }
    const { violations: found } = await axe.run({ resultTypes: ['violations'] })
    return found.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map((node) => `${String(node.target)} ${node.failureSummary}`).join(' | ')}`,
    )
  })
  expect(violations).toEqual([])
}

export { expect }
