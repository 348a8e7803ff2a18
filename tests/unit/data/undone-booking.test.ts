// When the broker is asked whether to tell a lead of an undone visit: its confirmation may have left.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import { openPhone, type Phone, type Tab } from '#tests/support/phone.ts'

const lead = { id: 7, number: '5511987654321', name: 'Rogério', instanceName: 'corretor_ana' } as Lead
const wanted = {
  startsAtMs: Date.parse('2027-06-01T10:00:00-03:00'),
  place: '',
  confirmText: 'Marcada!',
  reminder: null,
}
const asked: string[] = []
let phone: Phone
let tab: Tab

beforeEach(async () => {
  asked.length = 0
  phone = await openPhone({
    account: { id: 'ana', token: 'token-of-ana' },
    fetchServer: async (request) => {
      asked.push(new URL(request.url).pathname.split('/').at(-1) ?? '')
      return Response.json({ success: true, code: 'saved', message: null, action_id: 1 })
    },
  })
  tab = await phone.openTab()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.doUnmock('#api/network.ts')
  vi.doUnmock('#api/stored-session.ts')
  vi.doUnmock('#api/own-token.ts')
})

const drain = () => tab.use(() => tab.app.drain('request'))
const book = () => tab.use(() => tab.app.bookVisit(lead, wanted))
type TakeBack = Awaited<ReturnType<typeof book>>
const undo = (takeBack: TakeBack) =>
  tab.use(async () => {
    const undone = await takeBack()
    return undone && tab.app.mayBeConfirmed(undone)
  })

it('booked and undone without a network, the portal never knows of it', async () => {
  phone.network.isUp = false
  expect(await undo(await book())).toBeNull()
})

it('undone at once with a network, the portal cancels the confirmation in time', async () => {
  const takeBack = await book()
  await drain()
  const answer = undo(takeBack)
  await drain()
  expect([await answer, asked]).toEqual([false, ['visit_save', 'action_finish']])
})

it('booked, then undone without a network: the confirmation may leave', async () => {
  const takeBack = await book()
  await drain()
  phone.network.isUp = false
  expect(await undo(takeBack)).toBe(true)
})

it('undone after more time than the portal waits: the confirmation may have left', async () => {
  const takeBack = await book()
  await drain()
  const nowMs = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(nowMs + 11_000)
  expect(await undo(takeBack)).toBe(true)
})
