// Pushes in this browser: the real state, registered at each start, and never one person's to another.
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
  session.now = { status: 'in', user: { id: 'ana', role: 'broker' } }
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

test('only the installed app offers them; a denied permission is shown', async () => {
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

test('switched on by a tap, registered at each start, switched off', async () => {
  expect(await switchOn()).toBe('on')
  await keepPushes()
  expect([pushNow(), saved]).toEqual(['on', [false, true]])
  await switchOff()
  expect([pushNow(), subscription]).toEqual(['off', null])
  await keepPushes()
  expect(saved).toEqual([false, true])
})

test('a denied permission leaves nothing behind', async () => {
  permission = 'denied'
  expect(await switchOn()).toBe('denied')
  expect([subscription, saved]).toEqual([null, []])
})

test('a failed registration switches nothing on', async () => {
  portal.save = () => Promise.reject(new Error('no network'))
  await expect(switchOn()).rejects.toThrow('no network')
  expect(subscription).toBeNull()
})

test('removed from the list on another device, it is off at the next start', async () => {
  await switchOn()
  portal.save = () => Promise.resolve(false)
  await keepPushes()
  expect([pushNow(), subscription]).toEqual(['off', null])
})

test('offline it keeps its state', async () => {
  await switchOn()
  portal.save = () => Promise.reject(new Error('no network'))
  await keepPushes()
  expect(pushNow()).toBe('on')
  expect(subscription).not.toBeNull()
})

test("a new user on the device does not keep the previous user's pushes", async () => {
  await keepPushes()
  await switchOn()
  setOwner('bia')
  await keepPushes()
  expect([pushNow(), subscription, said]).toEqual(['off', null, [{ type: 'LEFT' }]])
  expect(saved).toEqual([false])
})

test('a fetch from before the sign-out sets no badge', () => {
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
