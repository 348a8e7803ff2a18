// Messages of lost webhooks are read back from the gateway: automatically, once, and with the same result.
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock, type Clock } from '#server/clock.ts'
import { createEvolutionGateway } from '#server/whatsapp/gateway/evolution/client.ts'
import { createSimulator, type Simulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import { createReconcile } from '#server/whatsapp/reconcile/reconcile.ts'
import { GatewayError, type Gateway } from '#server/gateway.ts'
import { databaseClock } from '#tests/support/clock.ts'
import { openBase } from '#tests/support/database.ts'
import { silentLog, turns } from '#tests/support/gateway.ts'
import { createLatch } from '#tests/support/latch.ts'
import { addDevice } from '#tests/support/push.ts'
import { clearState, INSTANCE, openWebhook, stateOf } from '#tests/support/webhook.ts'

const ANA = '5511987654321'
const LID = '99887766554433'
const BETO = '5531991234567'

let now = Date.now
const test = await openBase()
const webhook = await openWebhook(test.db, { clock: { ...systemClock, now: () => now() } })
afterAll(() => webhook.close())

type Scenario = ReturnType<typeof openScenario>
let scenario: Scenario
beforeEach(async () => {
  scenario = openScenario({ ...databaseClock(), randomBetween: systemClock.randomBetween })
  await test.db.query(
    `insert into portal.instance_states ("instanceName", state, owner_jid) values ($1, 'open', $2)`,
    [INSTANCE, '5511900000001@s.whatsapp.net'],
  )
  // The stored link has been open for long, like that of the simulator's phone.
  await test.db.query(
    `update portal.instance_sweeps set read_from = null, read_until = null, claimed_at = '-infinity'`,
  )
})
afterEach(async () => {
  await scenario.simulator.stop()
  await test.db.exec('delete from portal.instance_sweeps')
  await clearState(test.db)
})

/** The simulated gateway reporting to the webhook, and the reconciliation, with one clock. */
function openScenario(clock: Clock & { advance: (byMs: number) => void }) {
  now = clock.now
  const posts: Promise<unknown>[] = []
  const simulator: Simulator = createSimulator({
    clock,
    post: async (url, { body }) => {
      const posting = webhook.send(body, new URL(url).pathname)
      posts.push(posting)
      return (await posting).status
    },
  })
  simulator.adopt({
    instanceName: INSTANCE,
    token: 'token',
    webhookUrl: `http://portal.test/${INSTANCE}/${webhook.secret}`,
    phone: { number: '5511900000001', name: 'Loja' },
  })
  const gateway = createEvolutionGateway({
    baseUrl: 'http://gateway.test',
    apiKey: simulator.apiKey,
    fetch: simulator.fetch,
    clock,
    log: silentLog,
  })
  const settled = async () => {
    await turns()
    await Promise.all(posts)
    await webhook.drained()
  }
  return { clock, simulator, settled, gateway, reconcile: reconcileWith(gateway, clock) }
}

const SUBSCRIPTION = { endpoint: 'https://push.test/1', keys: { p256dh: 'p', auth: 'a' } }

const reconcileWith = (gateway: Pick<Gateway, 'findMessages'>, clock: Clock) =>
  createReconcile({ db: test.db, gateway, clock, log: silentLog, ingest: webhook.ingestRecords })

const messageIds = async () => (await stateOf(test.db)).messages.map((row) => row['message_id'])

const lose = (count: number) =>
  scenario.simulator.control.webhooks({ instance: INSTANCE, kind: 'lose', count })

/** A day of two leads, with every kind of message; returns the minimum number of deliveries. */
function live() {
  const { control } = scenario.simulator
  const said = (from: string, rest: Partial<Parameters<typeof control.receive>[0]> = {}) =>
    control.receive({ instance: INSTANCE, from, name: from === ANA ? 'Ana' : 'Beto', ...rest })
  said(ANA, { text: 'Olá', addressing: 'pn+lid', lid: LID })
  const second = said(ANA, { text: 'de outro jeito', addressing: 'lid+alt', lid: LID })
  said(ANA, { text: 'do celular', fromMe: true })
  said(BETO, { text: 'Ainda tem?' })
  for (const kind of [
    'image',
    'voice',
    'document',
    'sticker',
    'contact',
    'location',
    'ephemeral',
    'view-once',
    'poll',
  ] as const)
    said(BETO, { kind })
  said(ANA, { kind: 'reaction', text: '👍', target: { id: second } })
  const third = said(ANA, { text: 'erado' })
  control.edit({ instance: INSTANCE, id: third, text: 'errado' })
}

/** Contacts and messages without what only webhooks have: bytes, edit times, a phone instead of the hidden id. */
async function comparable() {
  const { contacts, messages } = await stateOf(test.db)
  return {
    contacts,
    messages: messages.map(({ content, edited_at: editedAt, remoteJid, ...message }) => ({
      ...message,
      content: content && { ...content, mediaId: null },
      isEdited: editedAt !== null,
      hasAddress: remoteJid !== null,
    })),
  }
}

describe('reconciliation', () => {
  it('restores everything when every webhook was lost, and changes nothing the second time', async () => {
    live()
    await scenario.settled()
    const reported = await comparable()
    expect(reported.contacts).toHaveLength(2)
    await test.db.exec(
      'delete from public.whatsapp_contacts; delete from portal.identities; delete from portal.people',
    )

    const { added } = await scenario.reconcile.sweep(INSTANCE)
    expect(added).toBe(reported.messages.length)
    expect(await comparable()).toEqual(reported)
    expect(await scenario.reconcile.sweep(INSTANCE)).toMatchObject({ added: 0 })
    expect(await comparable()).toEqual(reported)
  })

  it("fills gaps of lost webhooks, including a new lead's first message", async () => {
    const { control } = scenario.simulator
    control.receive({ instance: INSTANCE, from: ANA, text: 'chegou', id: 'A1' })
    await scenario.settled()
    lose(20)
    control.receive({ instance: INSTANCE, from: ANA, text: 'perdida', id: 'A2' })
    control.receive({ instance: INSTANCE, from: BETO, text: 'nova', id: 'B1' })
    await scenario.settled()
    expect((await stateOf(test.db)).messages.map((row) => row['message_id'])).toEqual(['A1'])

    expect(await scenario.reconcile.sweep(INSTANCE)).toMatchObject({ added: 2 })
    expect((await stateOf(test.db)).messages.map((row) => row['message_id'])).toEqual(['A1', 'A2', 'B1'])
  })

  it('between two edits loses neither', async () => {
    const { control } = scenario.simulator
    control.receive({ instance: INSTANCE, from: ANA, text: 'um', id: 'A1' })
    control.edit({ instance: INSTANCE, id: 'A1', text: 'dois' })
    await scenario.settled()
    await scenario.reconcile.sweep(INSTANCE)
    scenario.clock.advance(5_000)
    control.edit({ instance: INSTANCE, id: 'A1', text: 'três' })
    await scenario.settled()
    expect((await stateOf(test.db)).messages).toMatchObject([{ body: 'três' }])
  })

  it('restores an edit without a webhook, also in the second of the previous one', async () => {
    const { control } = scenario.simulator
    control.receive({ instance: INSTANCE, from: ANA, text: 'um', id: 'A1' })
    control.edit({ instance: INSTANCE, id: 'A1', text: 'dois' })
    await scenario.settled()
    lose(1)
    control.edit({ instance: INSTANCE, id: 'A1', text: 'três' })
    scenario.clock.advance(1_000)
    await scenario.reconcile.sweep(INSTANCE)
    expect((await stateOf(test.db)).messages).toMatchObject([{ body: 'três' }])
    const [before] = (await stateOf(test.db)).messages
    await scenario.reconcile.sweep(INSTANCE)
    expect((await stateOf(test.db)).messages).toEqual([before])
  })

  it('between a message and its deletion keeps the time of the deletion', async () => {
    const { control } = scenario.simulator
    control.receive({ instance: INSTANCE, from: ANA, text: 'um', id: 'A1' })
    await scenario.settled()
    scenario.clock.advance(60_000)
    const removedAtMs = scenario.clock.now()
    control.revoke({ instance: INSTANCE, id: 'A1' })
    await scenario.settled()
    scenario.clock.advance(60_000)
    await scenario.reconcile.sweep(INSTANCE)
    const [message] = (await stateOf(test.db)).messages
    const lateMs = Date.parse(String(message?.['deleted_at'])) - removedAtMs
    expect(lateMs).toBeGreaterThan(-1_000)
    expect(lateMs).toBeLessThanOrEqual(0)
  })

  it('runs at the start, whoever ran it before, and every ten minutes, for linked instances', async () => {
    await test.db.query(`update portal.instance_sweeps set claimed_at = now() - interval '1 minute'`)
    lose(10)
    scenario.simulator.control.receive({ instance: INSTANCE, from: ANA, id: 'A1' })
    await scenario.settled()
    const stop = scenario.reconcile.start()
    await expect.poll(messageIds).toEqual(['A1'])
    scenario.simulator.control.receive({ instance: INSTANCE, from: ANA, id: 'A2' })
    await scenario.settled()
    await test.db.query(`update portal.instance_sweeps set claimed_at = now() - interval '6 minutes'`)
    scenario.clock.advance(600_000)
    await expect.poll(messageIds).toEqual(['A1', 'A2'])
    await stop()
  })

  it('on a reconnect reads each address of recently active contacts', async () => {
    scenario.simulator.control.receive({ instance: INSTANCE, from: ANA, addressing: 'pn+lid', lid: LID })
    await scenario.settled()
    const asked: (string | undefined)[] = []
    const watched = reconcileWith(
      {
        findMessages: (instanceName, search) => {
          asked.push(search.jid)
          return scenario.gateway.findMessages(instanceName, search)
        },
      },
      scenario.clock,
    )
    await watched.hear({ instanceName: INSTANCE, kind: 'linked' })
    expect(asked).toEqual([undefined, `${ANA}@s.whatsapp.net`, `${LID}@lid`])
  })

  it('learns the number behind a hidden id from another record', async () => {
    const { control } = scenario.simulator
    control.receive({ instance: INSTANCE, from: ANA, addressing: 'lid', lid: LID })
    await scenario.settled()
    expect((await stateOf(test.db)).contacts).toMatchObject([{ number: null }])
    lose(5)
    control.receive({ instance: INSTANCE, from: ANA, addressing: 'lid+alt', lid: LID })
    await scenario.settled()
    await scenario.reconcile.hear({ instanceName: INSTANCE, kind: 'number-hidden' })
    expect((await stateOf(test.db)).contacts).toMatchObject([{ number: ANA }])
  })
})

describe('a link that opens during a reconciliation', () => {
  it('gets its own run afterwards, once for all requests meanwhile', async () => {
    scenario.simulator.control.receive({ instance: INSTANCE, from: ANA, id: 'A1' })
    await scenario.settled()
    const begun = createLatch()
    const goOn = createLatch()
    const asked: (string | undefined)[] = []
    const held = reconcileWith(
      {
        findMessages: async (instanceName, search) => {
          asked.push(search.jid)
          const found = await scenario.gateway.findMessages(instanceName, search)
          begun.open()
          await goOn.opened
          return found
        },
      },
      scenario.clock,
    )
    const regular = held.sweep(INSTANCE)
    await begun.opened
    lose(5)
    scenario.simulator.control.receive({ instance: INSTANCE, from: BETO, id: 'B1' })
    await scenario.settled()
    const reconnects = [1, 2].map(() => held.hear({ instanceName: INSTANCE, kind: 'linked' }))
    goOn.open()
    await Promise.all([regular, ...reconnects])
    expect(await messageIds()).toEqual(['A1', 'B1'])
    // All chats are asked for twice, the addresses of recently active contacts only in the second run.
    expect(asked.filter((jid) => jid === undefined)).toHaveLength(2)
    expect(asked.filter((jid) => jid === `${ANA}@s.whatsapp.net`)).toHaveLength(1)
  })
})

describe('two cards of one person', () => {
  it('are merged as soon as both exist, though only the gateway’s store knows', async () => {
    const { control } = scenario.simulator
    control.receive({ instance: INSTANCE, from: ANA, addressing: 'lid', lid: LID })
    await scenario.settled()
    webhook.news.length = 0
    // 2.3.7 reports the phone instead of the hidden id.
    control.receive({ instance: INSTANCE, from: ANA, addressing: 'lid+alt', lid: LID, text: 'de novo' })
    await scenario.settled()
    expect((await stateOf(test.db)).contacts).toHaveLength(2)
    expect(webhook.news).toEqual([{ instanceName: INSTANCE, kind: 'number-hidden' }])
    await scenario.reconcile.hear({ instanceName: INSTANCE, kind: 'number-hidden' })
    expect((await stateOf(test.db)).contacts).toMatchObject([{ number: ANA, unread_count: 2 }])
  })

  it('are looked up at the end of a minute in which hidden ones were looked up before', async () => {
    const { control } = scenario.simulator
    control.receive({ instance: INSTANCE, from: ANA, addressing: 'lid', lid: LID })
    await scenario.settled()
    await scenario.reconcile.hear({ instanceName: INSTANCE, kind: 'number-hidden' })
    control.receive({ instance: INSTANCE, from: ANA, addressing: 'lid+alt', lid: LID })
    await scenario.settled()
    await scenario.reconcile.hear({ instanceName: INSTANCE, kind: 'number-hidden' })
    expect((await stateOf(test.db)).contacts).toHaveLength(2)
    scenario.clock.advance(60_000)
    await expect.poll(async () => (await stateOf(test.db)).contacts.length).toBe(1)
  })

  it('are not looked up for a first message without hidden contacts, nor for a second', async () => {
    const { control } = scenario.simulator
    webhook.news.length = 0
    control.receive({ instance: INSTANCE, from: BETO })
    await scenario.settled()
    control.receive({ instance: INSTANCE, from: BETO })
    await scenario.settled()
    expect(webhook.news).toEqual([])
  })
})

describe('a phone that is linked again', () => {
  const OWN = '5511900000001'
  const AN_HOUR = 3_600
  const nowSeconds = () => Math.floor(scenario.clock.now() / 1000)

  /** Not linked for this many hours; everything before was read. */
  async function lostFor(hours: number) {
    await test.db.query(
      `update portal.instance_sweeps
      set read_from = now() - interval '30 days', opened_at = now() - interval '30 days', relinked_at = null,
        read_until = now() - make_interval(hours => $1)`,
      [hours],
    )
    scenario.simulator.control.unlink({ instance: INSTANCE })
    await scenario.settled()
  }

  async function link(number: string) {
    const offered = scenario.gateway.connect(INSTANCE)
    await turns()
    scenario.clock.advance(400)
    await turns()
    scenario.clock.advance(1_600)
    expect((await offered).kind).toBe('code')
    // The scan waits until the code is reported: another portal applies that report than the opening's.
    await scenario.settled()
    scenario.simulator.control.scan({ instance: INSTANCE, number })
    await scenario.settled()
    await scenario.reconcile.hear({ instanceName: INSTANCE, kind: 'linked' })
  }

  const past = (id: string, hoursAgo: number, from = ANA) => ({
    from,
    id,
    text: 'Ainda tem?',
    atSeconds: nowSeconds() - hoursAgo * AN_HOUR,
  })
  const history = async (...messages: { from: string; id: string; atSeconds: number }[]) => {
    scenario.simulator.control.history({ instance: INSTANCE, messages })
    await scenario.settled()
  }
  const countOf = async (table: string) => (await test.db.query(`select from ${table}`)).rowCount

  it('is the former one: messages written meanwhile come, soon after the phone delivers them', async () => {
    await lostFor(5)
    await link(OWN)
    const newest = past('A2', 3)
    await history(past('A1', 4), newest, past('B1', 2, BETO), past('OLD', 30, BETO))
    scenario.clock.advance(10_000)
    await expect.poll(messageIds).toEqual(['A1', 'A2', 'B1'])
    const [ana] = (await stateOf(test.db)).contacts
    expect(ana).toMatchObject({ unread_count: 2, last_message_timestamp: newest.atSeconds })
  })

  it('delivers late: the next regular run finds them, for an hour', async () => {
    await lostFor(5)
    await link(OWN)
    const stop = scenario.reconcile.start()
    await turns()
    scenario.clock.advance(1_000_000)
    await history(past('A1', 4))
    await test.db.query(`update portal.instance_sweeps set claimed_at = now() - interval '6 minutes'`)
    scenario.clock.advance(600_000)
    await expect.poll(messageIds).toEqual(['A1'])
    await stop()
    scenario.clock.advance(3_600_000)
    expect(await scenario.reconcile.sweep(INSTANCE)).toMatchObject({ isSettled: true })
  })

  it('delivers after hours: they are found within the next hour, for a week, and count as history', async () => {
    await lostFor(5)
    await link(OWN)
    const later = async (hours: number) => {
      scenario.clock.advance(hours * AN_HOUR * 1_000)
      await scenario.reconcile.sweep(INSTANCE)
    }
    const written = past('A1', 4)
    await later(2)
    await later(6)
    await test.db.exec('delete from portal.push_queue')
    await history(written, past('OLD', 30 + 8, BETO))
    await later(0.5)
    await later(0.6)
    expect(await messageIds()).toEqual(['A1'])
    expect((await stateOf(test.db)).contacts).toMatchObject([{ last_message_timestamp: written.atSeconds }])
    expect(await countOf('portal.push_queue')).toBe(0)

    await later(24 * 7)
    await history({ ...written, id: 'A2' })
    await later(2)
    expect(await messageIds()).toEqual(['A1'])
  })

  it('is the former one: nobody is alarmed, nothing is offered and no clock starts', async () => {
    const { rows } = await test.db.query<{ id: string }>(
      `update public.brokers set central_since = now() - interval '60 days' where "instanceName" = $1 returning id`,
      [INSTANCE],
    )
    await addDevice(test.db, rows[0]?.id ?? '', SUBSCRIPTION)
    await lostFor(5)
    await link(OWN)
    await test.db.exec('delete from portal.push_queue')
    const written = past('A1', 4)
    await history(written)
    await scenario.reconcile.sweep(INSTANCE)
    expect(await messageIds()).toEqual(['A1'])
    expect(await countOf('portal.push_queue')).toBe(0)
    const cases = await test.db.query(
      'select state, next_at, extract(epoch from arrived_at)::bigint as at from portal.roleta_cases',
    )
    expect(cases.rows).toEqual([{ state: 'inbox', next_at: null, at: written.atSeconds }])

    scenario.simulator.control.receive({ instance: INSTANCE, from: BETO, id: 'B1' })
    await scenario.settled()
    expect(await countOf('portal.push_queue')).toBeGreaterThan(0)
    await test.db.query(`update public.brokers set central_since = null where "instanceName" = $1`, [
      INSTANCE,
    ])
  })

  it.each([
    ['the first', true],
    ['another', false],
  ])('is %s: its past stays its own', async (_, isFirst) => {
    await lostFor(5)
    if (isFirst) await test.db.query('update portal.instance_states set owner_jid = null, owner_at = null')
    await link(isFirst ? OWN : '5521988887777')
    await history(past('A1', 4), past('A2', 0.01))
    await scenario.reconcile.sweep(INSTANCE, { isReconnect: true })
    expect(await messageIds()).toEqual([])
    scenario.clock.advance(60_000)
    lose(5)
    scenario.simulator.control.receive({ instance: INSTANCE, from: ANA, id: 'A3' })
    await scenario.settled()
    await scenario.reconcile.sweep(INSTANCE)
    expect(await messageIds()).toEqual(['A3'])
  })
})

describe('a gateway that cannot be read', () => {
  const broken = () =>
    reconcileWith(
      { findMessages: () => Promise.reject(new GatewayError('unreachable', 'O WhatsApp não responde.')) },
      scenario.clock,
    )

  it('is reported to the caller, and nothing unread is forgotten', async () => {
    lose(5)
    scenario.simulator.control.receive({ instance: INSTANCE, from: ANA, id: 'A1' })
    await scenario.settled()
    await expect(broken().sweep(INSTANCE)).rejects.toThrow('O WhatsApp não responde.')
    await broken().hear({ instanceName: INSTANCE, kind: 'linked' })
    expect(await scenario.reconcile.sweep(INSTANCE)).toMatchObject({ added: 1 })
  })

  it('is read again soon, at a start and after reports, and not after the portal stopped', async () => {
    lose(5)
    scenario.simulator.control.receive({ instance: INSTANCE, from: ANA, id: 'A1' })
    await scenario.settled()
    let isAway = true
    const reconcile = reconcileWith(
      {
        findMessages: (...asked) =>
          isAway
            ? Promise.reject(new GatewayError('unreachable', 'O WhatsApp não responde.'))
            : scenario.gateway.findMessages(...asked),
      },
      scenario.clock,
    )
    await reconcile.hear({ instanceName: INSTANCE, kind: 'linked' })
    const stop = reconcile.start()
    expect(await messageIds()).toEqual([])
    isAway = false
    scenario.clock.advance(10_000)
    await expect.poll(messageIds).toEqual(['A1'])
    await stop()
    lose(5)
    scenario.simulator.control.receive({ instance: INSTANCE, from: ANA, id: 'A2' })
    await scenario.settled()
    for (let minute = 0; minute < 20; minute++) scenario.clock.advance(60_000)
    await turns()
    expect(await messageIds()).toEqual(['A1'])
  })
})
