// Restriction and quota of a number, as WAHA reports them with the state of its session.
import { expect, test } from 'vitest'
import { WAHA_DELIVERIES } from '#server/whatsapp/gateway/waha/deliveries.ts'

const AT_MS = Date.UTC(2026, 10, 30, 12)
const ENDS = AT_MS / 1000 + 3_600

const eventOf = (data: object) => {
  const body = {
    id: 'evt_1',
    timestamp: AT_MS,
    event: 'session.status',
    session: 'ana',
    me: { id: '5511955550101@c.us', pushName: 'Ana', lid: '' },
    payload: { status: 'WORKING', statuses: [{ status: 'WORKING', timestamp: AT_MS }], data },
    engine: 'NOWEB',
  }
  const reading = WAHA_DELIVERIES.readDelivery(body, AT_MS)
  if (!reading.ok) throw new Error(reading.reason)
  return reading.events.filter(({ event }) => event === 'limits')
}
const lock = (more: object) => ({ reachoutTimelock: { isActive: true, enforcementType: 'DEFAULT', ...more } })

test.each([
  [lock({ timeEnforcementEnds: ENDS }), { isRestricted: true, restrictedUntilSeconds: ENDS, quota: null }],
  [lock({ timeEnforcementEnds: null }), { isRestricted: true, restrictedUntilSeconds: null, quota: null }],
  [lock({ isActive: false }), { isRestricted: false, restrictedUntilSeconds: null, quota: null }],
  [
    { messageCapping: { cappingStatus: 'CAPPED', totalQuota: 50, usedQuota: 50, cycleEnd: ENDS } },
    { isRestricted: false, quota: { isUsedUp: true, total: 50, used: 50, endsAtSeconds: ENDS } },
  ],
  [
    { messageCapping: { cappingStatus: 'FIRST_WARNING', totalQuota: 50, usedQuota: 40, cycleEnd: ENDS } },
    { isRestricted: false, quota: { isUsedUp: false, total: 50, used: 40, endsAtSeconds: ENDS } },
  ],
  [{ messageCapping: { cappingStatus: 'NONE' } }, { isRestricted: false, quota: null }],
])('%j', (data, expected) => {
  expect(eventOf(data)).toEqual([expect.objectContaining({ event: 'limits', atMs: AT_MS, ...expected })])
})

test('a report without them says nothing of them', () => {
  expect(eventOf({})).toEqual([])
})
