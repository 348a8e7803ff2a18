// A push that cannot be created: a device is removed only for its own fault.
import webPush from 'web-push'
import { expect, test } from 'vitest'
import type { ClaimedPush } from '#server/push/push-queue.ts'
import { sendPush } from '#server/push/send.ts'
import { manualClock } from '#tests/support/clock.ts'
import { makeKeys } from '#tests/support/push.ts'

const { p256dh, authText } = makeKeys()
const vapid = { subject: 'mailto:suporte@portal.example', ...webPush.generateVAPIDKeys() }
const PUSH: ClaimedPush = {
  id: 1,
  kind: 'offer',
  tag: 'offer-7',
  subject: 7,
  happened: 1,
  deviceId: 'd',
  endpoint: 'https://push.example.com/x',
  p256dh,
  auth: authText,
  heldTimes: 0,
  hidesNames: false,
  unreadLeads: 0,
  lead: null,
  risk: null,
  machine: null,
  campaign: null,
  hook: null,
  feed: null,
  lostInstance: null,
  unsent: null,
  visit: null,
  pass: null,
  offer: { firstName: 'Marina', development: null, secondsLeft: 60 },
}

async function sent(part: Partial<ClaimedPush>, keys = vapid) {
  const posted: Record<string, string>[] = []
  const post = ({ headers }: { headers: Record<string, string> }) => {
    posted.push(headers)
    return Promise.resolve({ status: 201, retryAfter: null })
  }
  const outcome = await sendPush(
    { post, keys, clock: manualClock(), address: () => 'https://portal.example' },
    { ...PUSH, ...part },
  )
  return { outcome, posted }
}

test('an expired offer has no time to live, and the device stays', async () => {
  const offer = { firstName: 'Marina', development: null, secondsLeft: -2 }
  expect(await sent({ offer })).toMatchObject({ outcome: { kind: 'taken' }, posted: [{ TTL: 0 }] })
})

const notOnTheCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url')
test.each([
  ['a key of another length', { p256dh: 'AAAA' }],
  ['a key that is none of the curve', { p256dh: notOnTheCurve }],
  ['a short secret', { auth: 'AAAA' }],
])("%s is the device's own fault: it could decrypt nothing", async (_, part) => {
  expect(await sent(part)).toEqual({ outcome: { kind: 'gone' }, posted: [] })
})

test.each([
  ['a tag that is none', { tag: 'não é um tópico' }, vapid],
  ['a contact of the portal that is none', {}, { ...vapid, subject: 'https://' }],
  ['a broken key of the portal', {}, { ...vapid, privateKey: 'AAAA' }],
])('%s removes no device', async (_, part, keys) => {
  expect(await sent(part, keys)).toEqual({
    outcome: { kind: 'unmade', reason: expect.stringMatching(/./) },
    posted: [],
  })
})
