// The gateway's reports give the same contacts, messages and states in any order and with any repeats.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { openBase } from '#tests/support/database.ts'
import {
  ack,
  ANA,
  ANA_LID,
  connection,
  delivery,
  edited,
  image,
  messageData,
  named,
  NOON,
  qr,
  reaction,
  revoked,
  sent,
  upsert,
} from '#tests/support/deliveries.ts'
import { byTier } from '#tests/support/runner/tier.ts'
import { clearState, INSTANCE, openWebhook, stateOf } from '#tests/support/webhook.ts'

const RECORDINGS = process.env['EVOLUTION_RECORDINGS'] ?? ''
const RECORDED = path.join(RECORDINGS, 'evolution-2.3.7-webhooks.jsonl')

/** A day with one lead: hidden id first, then proof; edits, acks and reactions before and after their messages. */
const MADE = [
  connection('connecting', NOON * 1000 - 5_000),
  qr('2@first', NOON * 1000 - 4_000),
  qr('2@second', NOON * 1000 - 3_000),
  connection('open', NOON * 1000 - 2_000, { wuid: '5511900000001@s.whatsapp.net', profileName: 'Loja' }),
  upsert({
    id: 'L1',
    key: { remoteJid: ANA_LID, addressingMode: 'lid' },
    message: { conversation: 'sem número' },
  }),
  upsert({ id: 'P1', message: { conversation: 'com número' }, sentAt: NOON + 1 }),
  upsert({
    id: 'B1',
    key: { remoteJidAlt: ANA_LID },
    message: { conversation: 'as duas' },
    sentAt: NOON + 2,
  }),
  upsert({
    id: 'L2',
    key: { remoteJid: ANA_LID },
    fromMe: true,
    message: { conversation: 'do celular' },
    sentAt: NOON + 3,
  }),
  sent({ id: 'S1', message: { conversation: 'da API' }, sentAt: NOON + 4 }),
  ack('S1', 'SERVER_ACK'),
  ack('S1', 'ERROR'),
  ack('S1', 'DELIVERY_ACK'),
  ack('S1', 'READ'),
  sent({ id: 'S2', message: { conversation: 'não foi' }, sentAt: NOON + 5 }),
  ack('S2', 'ERROR'),
  ack('S2', 'SERVER_ACK'),
  edited('P1', 'com número (1)', NOON * 1000 + 5_000),
  edited('P1', 'com número (2)', NOON * 1000 + 6_000),
  edited('B1', 'tarde demais', NOON * 1000 + 9_000),
  revoked('B1', NOON * 1000 + 8_000),
  reaction('S1', '👍', { sentAt: NOON + 6 }),
  reaction('S1', '', { sentAt: NOON + 7 }),
  reaction('S1', '❤️', { sentAt: NOON + 8 }),
  reaction('L1', '🙏', { fromMe: true, sentAt: NOON + 8 }),
  image({ id: 'I1', sentAt: NOON + 9 }),
  named(ANA, 'Ana'),
  upsert({ id: 'U1', message: { pollCreationMessage: { name: 'Qual?' } }, sentAt: NOON + 10 }),
  delivery('messages.upsert', messageData({ id: 'G1', key: { remoteJid: '123-456@g.us' } })),
  delivery('messages.upsert', messageData({ id: 'ST1', key: { remoteJid: 'status@broadcast' } })),
  ack('NEVER', 'READ'),
  connection('close', NOON * 1000 + 60_000),
  delivery('logout.instance', null, NOON * 1000 + 60_000),
]

const test = await openBase()
// Everything arrives in the minute after it was made.
const webhook = await openWebhook(test.db, { clock: { ...systemClock, now: () => NOON * 1000 + 70_000 } })
afterEach(() => clearState(test.db))
afterAll(() => webhook.close())

async function resultOf(bodies: readonly unknown[]) {
  await webhook.take(bodies)
  const state = await stateOf(test.db)
  expect(webhook.lines).toEqual([])
  expect(await webhook.counts()).toEqual({ waiting: 0, setAside: 0 })
  await clearState(test.db)
  return { ...state, contacts: state.contacts.map(withoutTies) }
}

/** Of two messages in one second only the order of arrival tells which was the answer: shuffled, it may be either. */
const withoutTies = (contact: Record<string, unknown>) =>
  contact['first_response_at'] === contact['first_incoming_at']
    ? { ...contact, first_response_at: null }
    : contact

const recorded = existsSync(RECORDED)
  ? readFileSync(RECORDED, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line).body)
  : null
const DAYS = recorded ? [{ day: recorded }] : []
// Without a recorded day its tests are not registered, so they count as one skipped test.
it.skipIf(recorded === null)('a recorded day of the real gateway is here (EVOLUTION_RECORDINGS)', () =>
  expect(recorded?.length).toBeGreaterThan(0),
)

describe.each([
  { name: 'deliveries made by the tests', list: MADE },
  ...DAYS.map(({ day }) => ({ name: 'deliveries recorded from the real gateway', list: day })),
])('$name', ({ list }) => {
  describe('give the same state', () => {
    let once: Awaited<ReturnType<typeof resultOf>>
    beforeAll(async () => void (once = await resultOf(list)))

    it('each twice, at once or all over again', async () => {
      expect(await resultOf(list.flatMap((body) => [body, body]))).toEqual(once)
      expect(await resultOf([...list, ...list])).toEqual(once)
    })

    it('in reverse', async () => {
      expect(await resultOf(list.toReversed())).toEqual(once)
    })

    it.each(byTier([1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]))(
      'shuffled and doubled, seed %i',
      async (seed) => {
        expect(await resultOf(shuffle([...list, ...list], seed))).toEqual(once)
      },
    )
  })
})

it('makes one contact of the made-up day, with everything in its place', async () => {
  const { contacts, messages, waiting, links } = await resultOf(MADE)
  expect(contacts).toMatchObject([
    {
      name: 'Ana',
      number: '5511987654321',
      who: `${INSTANCE} ${ANA},${INSTANCE} ${ANA_LID}`,
      unread_count: 5,
    },
  ])
  expect(
    messages.map((row) => [row['message_id'], row['type'], row['kind'], row['body'], row['delivery']]),
  ).toEqual([
    ['B1', 'incoming', 'deleted', '', null],
    ['I1', 'incoming', 'image', 'foto', null],
    ['L1', 'incoming', 'text', 'sem número', null],
    ['L2', 'outgoing', 'text', 'do celular', 'sent'],
    ['P1', 'incoming', 'text', 'com número (2)', null],
    ['S1', 'outgoing', 'text', 'da API', 'read'],
    ['S2', 'outgoing', 'text', 'não foi', 'failed'],
    ['U1', 'incoming', 'text', 'Enquete: Qual?', null],
  ])
  expect(messages.find((row) => row['message_id'] === 'S1')?.['reactions']).toMatchObject({
    contact: { emoji: '❤️' },
  })
  expect(messages.find((row) => row['message_id'] === 'L1')?.['reactions']).toMatchObject({
    me: { emoji: '🙏' },
  })
  expect(waiting.map((row) => row['target'])).toEqual(['NEVER'])
  expect(links).toMatchObject([
    {
      state: 'close',
      reason: 401,
      owner_jid: '5511900000001@s.whatsapp.net',
      profile_name: 'Loja',
      qr_text: '2@second',
    },
  ])
})

it.each(DAYS)('makes of the recorded day the people with whom the phone really talked', async ({ day }) => {
  const { contacts, messages, links } = await resultOf(day)
  expect(contacts.map((row) => [row['number'], row['name']])).toEqual([
    [null, null],
    ['551155556666', null],
    ['5511987654321', 'Ana'],
    ['553187654321', null],
  ])
  expect(messages).toHaveLength(20)
  expect(messages.filter((row) => row['type'] === 'outgoing').map((row) => row['delivery'])).not.toContain(
    'failed',
  )
  expect(links).toMatchObject([{ state: 'removed', owner_jid: '5511900000001@s.whatsapp.net' }])
})

/** Deliveries of a gateway in another time zone, which calls its local time UTC. */
const inZone = (minutes: number, bodies: readonly unknown[]) =>
  bodies.map((body) => {
    const { date_time: written, ...rest } = body as { date_time: string }
    return { ...rest, date_time: new Date(Date.parse(written) + minutes * 60_000).toISOString() }
  })

describe.each([
  ['São Paulo', -180],
  ['Lisbon in summer', 60],
  ['Saint John’s, half an hour beside the hour', -210],
  ['Kolkata', 330],
])('a gateway whose zone is %s', (_, minutes) => {
  it('reports the same times', async () => {
    expect(await resultOf(inZone(minutes, MADE))).toEqual(await resultOf(MADE))
  })

  it.each(DAYS)('reports the same times of the recorded day', async ({ day }) => {
    const there = await resultOf(inZone(minutes, day))
    expect(there).toEqual(await resultOf(day))
    const { messages } = there
    const deleted = messages.find((row) => row['deleted_at'] !== null)
    expect(Date.parse(String(deleted?.['deleted_at']))).toBe(Date.parse('2026-11-21T08:54:28.952Z'))
  })

  it('is moved to another zone between two reports of one message and of one link', async () => {
    const first = [
      upsert({ id: 'P1' }),
      edited('P1', 'um', NOON * 1000 + 5_000),
      connection('connecting', NOON * 1000 + 5_000),
    ]
    const second = [edited('P1', 'dois', NOON * 1000 + 9_000), connection('close', NOON * 1000 + 9_000)]
    const { messages, links } = await resultOf([...first, ...inZone(minutes, second)])
    expect(messages).toMatchObject([{ body: 'dois' }])
    expect(links).toMatchObject([{ state: 'close' }])
    const back = await resultOf([...inZone(minutes, first), ...second])
    expect(back.messages).toMatchObject([{ body: 'dois' }])
    expect(back.links).toMatchObject([{ state: 'close' }])
  })
})

/** Shuffles a list in an order that the seed decides. */
function shuffle<T>(list: readonly T[], seed: number): T[] {
  let state = seed
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  return list
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}
