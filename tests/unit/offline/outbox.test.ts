// The outbox on a phone: several tabs and the worker at once, kills, accounts, a full disk, a write that always fails.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Command } from '#domain/outbox/command.ts'
import { eventually } from '#tests/support/eventually.ts'
import { openPhone, type Phone, type Tab } from '#tests/support/phone.ts'

const ANA = { id: 'ana', token: 'token-of-ana' }
const BIA = { id: 'bia', token: 'token-of-bia' }

/** The server's state: each text once per operation, with the token that sent it. */
let applied: Map<string, { text: string; token: string }>
let answers: number
let phone: Phone
let refuse: (text: string) => Response | null

beforeEach(async () => {
  applied = new Map()
  answers = 0
  refuse = () => null
  phone = await openPhone({
    account: ANA,
    fetchServer: async (request) => {
      const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
      if (token === 'expired')
        return Response.json({ code: 'PT401', message: 'Sua sessão terminou.' }, { status: 401 })
      const { operationId, text } = (await request.json()) as { operationId: string; text: string }
      answers++
      const refusal = refuse(text)
      if (refusal) return refusal
      if (!applied.has(operationId)) applied.set(operationId, { text, token })
      return Response.json({ message: { id: 100 + [...applied.keys()].indexOf(operationId) } })
    },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.doUnmock('#api/network.ts')
  vi.doUnmock('#api/stored-session.ts')
  vi.doUnmock('#api/own-token.ts')
})

const say = (text: string, id = 7): Command => ({
  kind: 'message.send',
  lead: { id, number: '5511987654321', name: 'Rogério', instanceName: 'corretor_ana' },
  text,
  quotedMessageId: null,
})
const write = (tab: Tab, text: string, id = 7) => tab.use(() => tab.app.perform(say(text, id)))
const drain = (tab: Tab, reason: Parameters<Tab['app']['drain']>[0] = 'request') =>
  tab.use(() => tab.app.drain(reason))
const texts = () => [...applied.values()].map(({ text }) => text)
const states = async (tab: Tab) => (await tab.app.listOutbox()).map(({ state }) => state)

it('50 writes, two tabs and the worker at once: each is sent once, in order for its lead', async () => {
  const tabs = [await phone.openTab(), await phone.openTab(), await phone.openTab()] as const
  phone.network.isUp = false
  for (let n = 0; n < 50; n++) await write(tabs[n % 2]!, `texto ${n}`, n % 5)
  phone.network.isUp = true
  const ends = await Promise.all(tabs.map((tab, n) => drain(tab, n === 2 ? 'sync' : 'online')))
  expect(ends.map(({ left }) => left)).toEqual([0, 0, 0])
  expect(answers).toBe(50)
  for (let lead = 0; lead < 5; lead++) {
    const own = texts().filter((text) => Number(text.split(' ')[1]) % 5 === lead)
    expect(own).toEqual(Array.from({ length: 10 }, (_, n) => `texto ${n * 5 + lead}`))
  }
})

it('killed with entries waiting: they are sent at the next start', async () => {
  phone.network.isUp = false
  const before = await phone.openTab()
  for (let n = 0; n < 5; n++) await write(before, `texto ${n}`)
  before.kill()
  phone.network.isUp = true
  await drain(await phone.openTab(), 'start')
  expect(texts()).toEqual(['texto 0', 'texto 1', 'texto 2', 'texto 3', 'texto 4'])
})

it('killed during a request: not lost, not applied twice', async () => {
  const before = await phone.openTab()
  phone.faults.push('hanging')
  await write(before, 'um')
  await write(before, 'dois')
  await eventually(() => expect(texts()).toEqual(['um']))
  before.kill()
  const after = await phone.openTab()
  await drain(after, 'start')
  expect(texts()).toEqual(['um', 'dois'])
  expect(answers, 'the first was asked again under its id').toBe(3)
  expect(await states(after)).toEqual(['applied', 'applied'])
})

it('a tab suspended while it holds the lock loses it after a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const asleep = await phone.openTab()
  phone.faults.push('hanging')
  await write(asleep, 'um')
  await eventually(() => expect(texts()).toEqual(['um']))
  const awake = await phone.openTab()
  const first = drain(awake, 'start')
  await phone.settle()
  vi.setSystemTime(Date.now() + 61_000)
  await drain(awake, 'timer')
  await first
  expect(await states(awake)).toEqual(['applied'])
  // The response at its wake-up has no effect.
  phone.timeOut()
  await phone.settle()
  expect(await states(awake)).toEqual(['applied'])
  vi.useRealTimers()
})

it('a write that always fails blocks only its lane', async () => {
  refuse = (text) => (text === 'veneno' ? Response.json({}, { status: 500 }) : null)
  const tab = await phone.openTab()
  phone.network.isUp = false
  await write(tab, 'veneno', 9)
  await write(tab, 'depois', 9)
  await write(tab, 'outro lead', 10)
  phone.network.isUp = true
  expect(await drain(tab)).toEqual({ left: 1 })
  expect(texts()).toEqual(['outro lead'])
  refuse = (text) =>
    text === 'veneno'
      ? Response.json({ error: { code: 'message.too-long', message: 'Longa demais.' } }, { status: 422 })
      : null
  expect(await drain(tab)).toEqual({ left: 0 })
  expect(await states(tab)).toEqual(['refused', 'applied', 'applied'])
  expect((await tab.app.listOutbox())[0]?.problem?.reason).toBe('Longa demais.')
})

it('an expired token is renewed once, and the write succeeds', async () => {
  const tab = await phone.openTab()
  phone.faults.push('expired')
  await write(tab, 'oi')
  await eventually(() => expect(texts()).toEqual(['oi']))
})

it('after the session ended everything waits for the same person', async () => {
  const tab = await phone.openTab()
  phone.network.isUp = false
  await write(tab, 'oi')
  phone.signIn(null)
  phone.network.isUp = true
  expect(await drain(tab, 'online')).toEqual({ left: 0 })
  expect(answers).toBe(0)
  phone.signIn(ANA)
  await drain(tab, 'start')
  expect([...applied.values()]).toEqual([{ text: 'oi', token: 'token-of-ana' }])
})

it("another account on the phone neither sends nor changes the first one's entries", async () => {
  const first = await phone.openTab()
  phone.network.isUp = false
  await write(first, 'de Ana')
  first.kill()
  phone.signIn(BIA)
  phone.network.isUp = true
  const second = await phone.openTab()
  await write(second, 'de Bia')
  await drain(second, 'start')
  expect([...applied.values()]).toEqual([{ text: 'de Bia', token: 'token-of-bia' }])
  phone.signIn(ANA)
  await drain(await phone.openTab(), 'start')
  expect([...applied.values()].at(-1)).toEqual({ text: 'de Ana', token: 'token-of-ana' })
})

it('the account changes during a send: the entry stays', async () => {
  const tab = await phone.openTab()
  phone.network.isUp = false
  await write(tab, 'de Ana')
  phone.network.isUp = true
  const draining = drain(tab, 'online')
  phone.signIn(BIA)
  await draining
  expect(answers).toBe(0)
  expect(await states(tab)).toEqual(['queued'])
})

it('a full disk: entries are kept in memory, shown, and sent', async () => {
  const tab = await phone.openTab()
  const seen: boolean[] = []
  tab.use(() => tab.app.watchOutbox(({ isKept }) => seen.push(isKept)))
  const put = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  phone.network.isUp = false
  await write(tab, 'um')
  await write(tab, 'dois')
  expect(seen.at(-1)).toBe(false)
  put.mockRestore()
  phone.network.isUp = true
  await drain(tab, 'online')
  expect(texts()).toEqual(['um', 'dois'])
  expect(seen.at(-1)).toBe(true)
})

it('no IndexedDB: entries are sent all the same', async () => {
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  const tab = await phone.openTab()
  await write(tab, 'um')
  await eventually(() => expect(texts()).toEqual(['um']))
  expect(await states(tab)).toEqual(['applied'])
})

it('a change is shown before it is stored, and in the other tab after', async () => {
  phone.network.isUp = false
  const [here, there] = [await phone.openTab(), await phone.openTab()]
  const shown: number[] = []
  here.use(() => here.app.watchOutbox(({ entries }) => shown.push(entries.length)))
  const elsewhere = vi.fn<(outbox: { entries: readonly unknown[] }) => void>()
  there.use(() => there.app.watchOutbox(elsewhere))
  await eventually(() => expect(elsewhere).toHaveBeenCalled())
  const writing = write(here, 'um')
  expect(shown.at(-1)).toBe(1)
  await writing
  await eventually(() => expect(elsewhere.mock.lastCall?.[0].entries).toHaveLength(1))
})
