// Whether this browser is told: its own truth, said again at each start, and never one person's to another.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setOwner } from '#offline/owner.ts'
import { keepPushes, pushNow, showBadge, switchOff, switchOn } from '#live/push.ts'

type Around = { portal: { save: (isAgain: boolean) => Promise<boolean> }; session: { now: object } }

const { portal, session } = vi.hoisted<Around>(() => ({
  portal: { save: () => Promise.resolve(true) },
  session: { now: {} },
}))
vi.mock('#data/push.ts', () => ({
  saveDevice: (_: unknown, isAgain: boolean) => portal.save(isAgain),
  reportSeen: () => Promise.resolve(),
}))
vi.mock('#data/session.ts', () => ({ sessionNow: () => session.now }))
vi.mock('#api/push.ts', () => ({
  subscribe: (pushes: { make: () => unknown }) => Promise.resolve(pushes.make()),
}))

let subscription: { unsubscribe: () => Promise<boolean> } | null
let said: unknown[]
let saved: boolean[]
let permission: string
let isInstalled: boolean

beforeEach(() => {
  subscription = null
  said = []
  saved = []
  permission = 'granted'
  isInstalled = true
  session.now = { status: 'in', user: { id: 'ana' } }
  portal.save = (isAgain) => {
    saved.push(isAgain)
    return Promise.resolve(true)
  }
  const make = () =>
    (subscription = {
      unsubscribe: () => {
        subscription = null
        return Promise.resolve(true)
      },
    })
  const registration = {
    pushManager: { make, getSubscription: () => Promise.resolve(subscription) },
    active: { postMessage: (word: unknown) => said.push(word) },
  }
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  vi.stubGlobal('navigator', { serviceWorker: { ready: Promise.resolve(registration) } })
  vi.stubGlobal('matchMedia', () => ({ matches: isInstalled }))
  vi.stubGlobal('PushManager', Object)
  vi.stubGlobal('Notification', {
    get permission() {
      return permission
    },
    requestPermission: () => Promise.resolve(permission),
  })
  setOwner('ana')
})
afterEach(() => {
  setOwner(null)
  vi.unstubAllGlobals()
})

test('only the installed app offers them; what the system refused is said', async () => {
  await keepPushes()
  expect(pushNow()).toBe('off')
  isInstalled = false
  await keepPushes()
  expect(pushNow()).toBe('elsewhere')
  permission = 'denied'
  await keepPushes()
  expect(pushNow()).toBe('denied')
  vi.stubGlobal('navigator', {})
  await keepPushes()
  expect(pushNow()).toBe('unsupported')
})

test('switched on by a tap, said again at each start, switched off again', async () => {
  expect(await switchOn()).toBe('on')
  await keepPushes()
  expect([pushNow(), saved]).toEqual(['on', [false, true]])
  await switchOff()
  expect([pushNow(), subscription]).toEqual(['off', null])
  await keepPushes()
  expect(saved).toEqual([false, true])
})

test('a no to the system leaves nothing behind', async () => {
  permission = 'denied'
  expect(await switchOn()).toBe('denied')
  expect([subscription, saved]).toEqual([null, []])
})

test('what the portal did not hear of is not switched on', async () => {
  portal.save = () => Promise.reject(new Error('no network'))
  await expect(switchOn()).rejects.toThrow('no network')
  expect(subscription).toBeNull()
})

test('taken off the list from another device, it is switched off at its next start', async () => {
  await switchOn()
  portal.save = () => Promise.resolve(false)
  await keepPushes()
  expect([pushNow(), subscription]).toEqual(['off', null])
})

test('without a signal it stays as it was', async () => {
  await switchOn()
  portal.save = () => Promise.reject(new Error('no network'))
  await keepPushes()
  expect(pushNow()).toBe('on')
  expect(subscription).not.toBeNull()
})

test('who signs in on the phone of another is not told in her place', async () => {
  await keepPushes()
  await switchOn()
  setOwner('bia')
  await keepPushes()
  expect([pushNow(), subscription, said]).toEqual(['off', null, [{ type: 'LEFT' }]])
  expect(saved).toEqual([false])
})

test('what was being read when its person left puts no number on the icon again', () => {
  const shown: number[] = []
  vi.stubGlobal('navigator', {
    setAppBadge: (count: number) => {
      shown.push(count)
      return Promise.resolve()
    },
  })
  showBadge(28)
  setOwner(null)
  showBadge(28)
  expect(shown).toEqual([28])
})
