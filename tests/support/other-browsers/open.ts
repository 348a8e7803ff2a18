// A separate WebKitGTK or Firefox for a test: a screen, its driver, and a profile that is deleted at the end.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type RunnerTestCase, vi } from 'vitest'
import { freePort } from '../free-port.mjs'
import { openDriver } from './webdriver.ts'
import { openMarionette } from './marionette.ts'
import { createPage, type Page } from './page.ts'
import { findFirefox, findWebKit } from './programs.mjs'

const PHONE = { width: 390, height: 844 }
/** Set by vitest.config.ts for the phase `firefox`. */
const isFirefox = process.env['TEST_BROWSER'] === 'firefox'
/** Firefox makes no narrower window; the driver narrows its page. */
const FIREFOX_WIDTH = 500
// prettier-ignore
const SCREEN = [
  '-displayfd', '3',
  '-screen', '0', `${isFirefox ? FIREFOX_WIDTH : PHONE.width}x${PHONE.height}x24`,
  '-nolisten', 'tcp',
]
const PICTURES = 'test-results'
const READY_WITHIN_MS = 30_000
const BOARD_WITHIN_MS = 30_000

export type Browser = Awaited<ReturnType<typeof openBrowser>>

/**
 * Opens the phase's browser in the size of a phone; addresses without a host belong to `origin`. `close` ends
 * everything that was started; a failed test leaves a screenshot.
 */
export async function openBrowser(origin: string) {
  const home = await mkdtemp(path.join(tmpdir(), 'portal-browser-'))
  const running: ChildProcess[] = []
  const end = async () => {
    // The browser ends with its screen, whatever state it is in.
    for (const child of running.toReversed()) {
      if (child.exitCode === null && child.signalCode === null && child.kill()) await once(child, 'close')
    }
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const driver = await (isFirefox ? openFirefox : openWebKit)(home, running)
    const page = createPage(driver, origin)
    return {
      page,
      close: async ({ name, result }: RunnerTestCase) => {
        try {
          if (result?.state === 'fail') {
            await mkdir(PICTURES, { recursive: true })
            await writeFile(path.join(PICTURES, `${name}.png`), await page.picture())
          }
          await driver.close()
        } finally {
          await end()
        }
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function openWebKit(home: string, running: ChildProcess[]) {
  const programs = await findWebKit()
  if (!programs) throw new Error('no WebKitGTK with driver and Xvfb on this machine')
  const env = await privateEnvironment(home, await openScreen(programs.screen, running))
  const port = await freePort()
  const args = [`--port=${port}`, '--host=127.0.0.1']
  running.push(spawn(programs.driver, args, { stdio: 'ignore', env }))
  const address = `http://127.0.0.1:${port}`
  await vi.waitFor(() => fetch(`${address}/status`), { timeout: READY_WITHIN_MS })
  const driver = await openDriver(address, programs.browser)
  await driver.send('POST', '/window/rect', { x: 0, y: 0, ...PHONE })
  return driver
}

async function openFirefox(home: string, running: ChildProcess[]) {
  const programs = await findFirefox()
  if (!programs) throw new Error('no Firefox with Xvfb on this machine')
  const env = await privateEnvironment(home, await openScreen(programs.screen, running))
  const port = await freePort()
  const profile = path.join(home, 'profile')
  await mkdir(profile)
  await writeFile(path.join(profile, 'user.js'), preferences({ ...QUIET, 'marionette.port': port }))
  // The driver narrows the page with rights that a page does not have.
  const args = [
    '--marionette',
    '--remote-allow-system-access',
    '--no-remote',
    '--kiosk',
    '--profile',
    profile,
  ]
  running.push(spawn(programs.browser, args, { stdio: 'ignore', env }))
  return vi.waitFor(() => openMarionette(port, PHONE), { timeout: READY_WITHIN_MS })
}

/** Settings that keep Firefox from looking for updates and opening pages and offers. */
const QUIET = {
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'intl.accept_languages': 'pt-BR, pt',
  'remote.prefs.recommended': true,
}

const preferences = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`)
    .join('\n')

/** Returns the name of the display. */
async function openScreen(program: string, running: ChildProcess[]) {
  const screen = spawn(program, SCREEN, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  running.push(screen)
  const [display] = (await once(screen.stdio[3]!, 'data')) as [Buffer]
  return `:${display.toString().trim()}`
}

/** Signs in through the form. */
export async function enterByForm(page: Page) {
  await page.goto('/login')
  await page.find('textbox', 'Usuário').fill('camila')
  await page.find('button', 'Continuar').click()
  await page.find('textbox', 'Senha').fill('demo-corretor')
  await page.find('button', 'Entrar').click()
  await vi.waitUntil(async () => (await page.find('article', /./).count()) > 0, { timeout: BOARD_WITHIN_MS })
}

/** No access to data of the user who runs the tests, or of another browser. */
async function privateEnvironment(home: string, display: string) {
  const folders = {
    XDG_DATA_HOME: path.join(home, 'data'),
    XDG_CACHE_HOME: path.join(home, 'cache'),
    XDG_CONFIG_HOME: path.join(home, 'config'),
    XDG_RUNTIME_DIR: path.join(home, 'run'),
  }
  for (const folder of Object.values(folders)) await mkdir(folder, { mode: 0o700 })
  return {
    PATH: process.env['PATH'],
    HOME: home,
    ...folders,
    DISPLAY: display,
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    GDK_BACKEND: 'x11',
    GSETTINGS_BACKEND: 'memory',
    LANG: 'C.UTF-8',
    NO_AT_BRIDGE: '1',
    TZ: 'America/Sao_Paulo',
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  }
}
