// Unrequested offers wait for a pause at the top of the board; offline the account's dot is grey.
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { listenForInstall, intendInstall } from '#live/install.ts'
import { painted } from '#tests/support/components/device.ts'
import { list, openBoard } from '#tests/support/components/phone-board.ts'
import { passTime, stopTime } from '#tests/support/components/time.ts'

const sheet = page.getByRole('dialog', { name: 'Instale o Portal do Corretor' })
const PAUSE_MS = 8_000
const PAST = { sessions: 5, hasMoved: true, declines: 0, declinedAtMs: 0 }

afterEach(() => intendInstall(null))

/** A frequent user's board in a browser that can install the portal; from here on the test controls time. */
async function openOften() {
  listenForInstall()
  dispatchEvent(
    Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: () => undefined }),
  )
  localStorage.setItem('install', JSON.stringify(PAST))
  const { portal } = await openBoard()
  portal.network.on('POST /rest/v1/rpc/erased_leads', () => [])
  // Parts that load by themselves wait for the page's own time.
  await expect.poll(() => sessionStorage.getItem('session-counted')).toBe('1')
  stopTime()
}

/** Runs the polls for activity that are needed to count as idle. */
async function pollQuietly() {
  for (let poll = 0; poll < 4; poll++) dispatchEvent(new Event('focusin'))
  await painted()
}

async function looked() {
  await pollQuietly()
  await expect.poll(() => sheet.query()).not.toBeNull()
}

test('a folha de instalação espera uma pausa: nunca aparece sob um dedo que trabalha', async () => {
  await openOften()
  passTime(PAUSE_MS - 1)
  list.element().dispatchEvent(new PointerEvent('pointermove', { bubbles: true }))
  passTime(PAUSE_MS - 1)
  await pollQuietly()
  expect(sheet.query()).toBeNull()
  passTime(1)
  await looked()
})

test('e espera o topo do quadro', async () => {
  await openOften()
  list.element().scrollTop = 300
  // The list reports its scrolling when it is rendered.
  await painted()
  passTime(PAUSE_MS)
  await pollQuietly()
  expect(sheet.query()).toBeNull()
  list.element().scrollTop = 0
  await painted()
  passTime(PAUSE_MS)
  await looked()
})

test('no app instalado o ícone conta os leads que esperam resposta', async () => {
  Object.defineProperty(navigator, 'standalone', { value: true, configurable: true })
  const badge = vi.spyOn(navigator, 'setAppBadge').mockResolvedValue()
  try {
    const { portal } = await openBoard()
    portal.network.on('POST /rest/v1/rpc/erased_leads', () => [])
    await expect.poll(() => badge.mock.lastCall).toEqual([49])
  } finally {
    Reflect.deleteProperty(navigator, 'standalone')
  }
})

test('sem rede o ponto da conta fica cinza, e volta a ser verde com ela', async () => {
  await openBoard()
  const account = page.getByRole('button', { name: /^Conta de camila/ })
  await expect.element(account).toHaveAccessibleName(/^Conta de camila ?, WhatsApp conectado$/)
  const green = dot(account.element())
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  dispatchEvent(new Event('offline'))
  await expect.element(account).toHaveAccessibleName(/^Conta de camila ?, Sem conexão$/)
  expect(dot(account.element())).not.toBe(green)
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
  dispatchEvent(new Event('online'))
  await expect.element(account).toHaveAccessibleName(/^Conta de camila ?, WhatsApp conectado$/)
  expect(dot(account.element())).toBe(green)
})

const dot = (account: Element) => {
  const mark = account.querySelector('.border-2')
  if (!mark) throw new Error('no dot')
  return getComputedStyle(mark).backgroundColor
}
