// A separate WebKitGTK for a test: a screen, its driver, and a profile that is deleted at the end.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type RunnerTestCase, vi } from 'vitest'
import { freePort } from '../portal.ts'
import { openDriver } from './webdriver.ts'
import { createPage, type Page } from './page.ts'
import { findWebKit } from './webkit.mjs'

const PHONE = { width: 390, height: 844 }
// prettier-ignore
const SCREEN = [
  '-displayfd', '3',
  '-screen', '0', `${PHONE.width}x${PHONE.height}x24`,
  '-nolisten', 'tcp',
]
const PICTURES = 'test-results'
const READY_WITHIN_MS = 30_000
const BOARD_WITHIN_MS = 30_000

export type WebKit = Awaited<ReturnType<typeof openWebKit>>

/**
 * Opens it in the size of a phone; addresses without a host belong to `origin`. `close` ends everything that was
 * started;
 * a failed test leaves a screenshot.
 */
export async function openWebKit(origin: string) {
  const programs = await findWebKit()
  if (!programs) throw new Error('no WebKitGTK with driver and Xvfb on this machine')
  const home = await mkdtemp(path.join(tmpdir(), 'portal-webkit-'))
  const running: ChildProcess[] = []
  const end = async () => {
    // The browser ends with its screen, whatever state it is in.
    for (const child of running.toReversed()) {
      if (child.exitCode === null && child.signalCode === null && child.kill()) await once(child, 'close')
    }
    await rm(home, { recursive: true, force: true })
  }
  try {
    const screen = spawn(programs.screen, SCREEN, {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    running.push(screen)
    const [display] = (await once(screen.stdio[3]!, 'data')) as [Buffer]
    const port = await freePort()
    running.push(
      spawn(programs.driver, [`--port=${port}`, '--host=127.0.0.1'], {
        stdio: 'ignore',
        env: await privateEnvironment(home, `:${display.toString().trim()}`),
      }),
    )
    const address = `http://127.0.0.1:${port}`
    await vi.waitFor(() => fetch(`${address}/status`), { timeout: READY_WITHIN_MS })
    const driver = await openDriver(address, programs.browser)
    await driver.send('POST', '/window/rect', { x: 0, y: 0, ...PHONE })
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
