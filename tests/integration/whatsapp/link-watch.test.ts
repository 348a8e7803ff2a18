// Polling all links while the gateway reports changes at the same time: the newer state counts.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createLinkLife } from '#server/whatsapp/connection/link-life.ts'
import { createLinkStore } from '#server/whatsapp/connection/connection-store.ts'
import { createWatch } from '#server/whatsapp/connection/link-watch.ts'
import { createEvolutionGateway } from '#server/whatsapp/gateway/evolution/client.ts'
import { createSimulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import { deliveriesOf } from '#server/whatsapp/gateway/rooms.ts'
import { applyRecords } from '#server/whatsapp/webhook/records.ts'
import type { Gateway, LinkState } from '#server/gateway.ts'
import { databaseClock } from '#tests/support/clock.ts'
import { messageData } from '#tests/support/deliveries.ts'
import { openBase } from '#tests/support/database.ts'
import { silentLog, turns } from '#tests/support/gateway.ts'
import { makeBroker } from '#tests/support/make.ts'

const base = await openBase()

const tells = (instanceName: string, state: LinkState) =>
  base.db.query(
    `insert into portal.instance_states ("instanceName", state, changed_at) values ($1, $2, clock_timestamp())
     on conflict ("instanceName") do update set state = excluded.state, changed_at = excluded.changed_at`,
    [instanceName, state],
  )
const stateOf = async (instanceName: string) => (await createLinkStore(base.db).find(instanceName))?.state

/** A poll whose answer was made before `meanwhile`. */
const look = (
  instanceName: string,
  state: LinkState,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
) =>
  createWatch({
    db: base.db,
    clock: databaseClock(),
    log: silentLog,
    gateway: {
      listInstances: async () => {
        await meanwhile()
        const unknown = {
          instanceId: null,
          ownerJid: null,
          number: null,
          profileName: null,
          profilePicUrl: null,
        }
        return [{ ...unknown, instanceName, state }]
      },
      linkState: () => Promise.resolve(state),
    } as unknown as Gateway,
    onOpened: () => undefined,
  }).poll()

/** All stored states get one time, as within one tick of a coarse clock. */
const atOneInstant = () =>
  base.db.query(`update portal.instance_states set changed_at = '2026-01-01T12:00:00Z'`)

test.each([
  ['connecting', 'open'],
  ['open', 'close'],
] as const)('a state that was %s at the request keeps a later report, %s', async (asked, reported) => {
  const { instanceName } = await makeBroker(base.db)
  await tells(instanceName, asked)
  await atOneInstant()
  await look(instanceName, asked, async () => {
    await tells(instanceName, reported)
    await atOneInstant()
  })
  expect(await stateOf(instanceName)).toBe(reported)
})

test('a state unknown at the request keeps a later report', async () => {
  const { instanceName } = await makeBroker(base.db)
  await look(instanceName, 'close', () => tells(instanceName, 'open'))
  expect(await stateOf(instanceName)).toBe('open')
})

test("the same state reported during a poll is newer than the poll's answer", async () => {
  const { instanceName } = await makeBroker(base.db)
  await tells(instanceName, 'open')
  await look(instanceName, 'connecting', () => tells(instanceName, 'open'))
  expect(await stateOf(instanceName)).toBe('open')
})

test('a poll overwrites earlier reports, also if the clock was set back since', async () => {
  const { instanceName } = await makeBroker(base.db)
  await tells(instanceName, 'open')
  await look(instanceName, 'close')
  expect(await stateOf(instanceName)).toBe('close')
  await base.db.query(`update portal.instance_states set changed_at = now() + interval '1 day'`)
  await look(instanceName, 'connecting')
  expect(await stateOf(instanceName)).toBe('connecting')
})

describe('a late report of the gateway', () => {
  const NOON_MS = Date.parse('2026-11-23T15:00:00Z')
  const reports = async (instanceName: string, state: string, atMs: number) =>
    (
      await base.db.query<{ news: string | null }>('select portal.apply_link($1, $2::jsonb) as news', [
        instanceName,
        JSON.stringify({ state, reason: 200, rank: 2, atMs, ownerJid: '5511955500078@s.whatsapp.net' }),
      ])
    ).rows[0]?.news
  const withCode = (instanceName: string, atMs: number) =>
    base.db.query('select portal.apply_qr($1, $2::jsonb)', [
      instanceName,
      JSON.stringify({ image: 'data:image/png;base64,', isLimit: false, count: 1, atMs }),
    ])
  const rowOf = async (instanceName: string) =>
    (
      await base.db.query(
        `select s.state, s.flips, s.away_since, s.qr_image, w.relinked_at from portal.instance_states s
         left join portal.instance_sweeps w using ("instanceName") where s."instanceName" = $1`,
        [instanceName],
      )
    ).rows[0]

  test("a late 'connecting' after a polled 'open' is no loss", async () => {
    const { instanceName } = await makeBroker(base.db)
    await reports(instanceName, 'close', NOON_MS)
    await look(instanceName, 'open')
    await reports(instanceName, 'connecting', NOON_MS + 1_000)
    expect(await rowOf(instanceName)).toMatchObject({ state: 'open', flips: 0, away_since: null })
    expect(await reports(instanceName, 'open', NOON_MS + 2_000)).toBe('linked')
    // A report that comes after the opening counts.
    await reports(instanceName, 'connecting', NOON_MS + 3_000)
    expect(await rowOf(instanceName)).toMatchObject({ state: 'connecting' })
  })

  test('a link that does not open after all is found by the next poll', async () => {
    const { instanceName } = await makeBroker(base.db)
    await reports(instanceName, 'close', NOON_MS)
    await look(instanceName, 'open')
    await reports(instanceName, 'connecting', NOON_MS + 1_000)
    await look(instanceName, 'connecting')
    expect(await rowOf(instanceName)).toMatchObject({ state: 'connecting' })
  })

  test('a late code from before an opening does not mark a later opening as one by code', async () => {
    const { instanceName } = await makeBroker(base.db)
    await reports(instanceName, 'connecting', NOON_MS)
    await reports(instanceName, 'open', NOON_MS + 9_000)
    await withCode(instanceName, NOON_MS + 5_000)
    expect(await rowOf(instanceName)).toMatchObject({ qr_image: null })
    await reports(instanceName, 'connecting', NOON_MS + 60_000)
    await reports(instanceName, 'open', NOON_MS + 61_000)
    expect(await rowOf(instanceName)).toMatchObject({ state: 'open', relinked_at: null })
    // A code made while it is down is scanned.
    await reports(instanceName, 'connecting', NOON_MS + 70_000)
    await withCode(instanceName, NOON_MS + 71_000)
    await reports(instanceName, 'open', NOON_MS + 75_000)
    expect((await rowOf(instanceName))?.['relinked_at']).not.toBeNull()
  })
})

describe('a link that cannot come back', () => {
  /** A long linked broker on a simulated gateway, and its polls. */
  async function linked() {
    const { instanceName } = await makeBroker(base.db, { broker_number: '5511955500001' })
    const clock = databaseClock()
    const simulator = createSimulator({ clock })
    const { apiKey, fetch } = simulator
    simulator.adopt({
      instanceName,
      instanceId: randomUUID(),
      token: 'T',
      webhookUrl: null,
      phone: { number: '5511955500001', name: 'Ana' },
    })
    const opened: string[] = []
    const watch = createWatch({
      db: base.db,
      clock,
      log: silentLog,
      gateway: createEvolutionGateway({
        baseUrl: 'http://gateway.test',
        apiKey,
        clock,
        log: silentLog,
        fetch,
      }),
      onOpened: (name) => opened.push(name),
    })
    await watch.poll()
    opened.length = 0
    let atMs = Date.now()
    return {
      instanceName,
      simulator,
      clock,
      watch,
      opened,
      /** The gateway reports it by itself. */
      reports: async (state: LinkState): Promise<string | null> => {
        const event = { state, reason: 200, rank: 2, atMs: ++atMs, ownerJid: null }
        const { rows } = await base.db.query<{ news: string | null }>(
          'select portal.apply_link($1, $2::jsonb) as news',
          [instanceName, JSON.stringify(event)],
        )
        return rows[0]?.news ?? null
      },
      /** A lead's message of that second comes in. */
      hears: async (sentAt: number) => {
        const message = messageData({ id: randomUUID(), sentAt })
        // As read from the gateway's store, which is handled like deliveries.
        await applyRecords(
          { db: base.db, deliveriesOf },
          { instanceName, records: [message], atMs: Date.now() },
        )
      },
      /** This much time passes. */
      ages: (seconds: number) =>
        base.db.query(
          `update portal.instance_states set changed_at = changed_at - make_interval(secs => $2),
            away_since = away_since - make_interval(secs => $2), opening_since = opening_since - make_interval(secs => $2),
            looked_at = looked_at - make_interval(secs => $2)
          where "instanceName" = $1`,
          [instanceName, seconds],
        ),
      state: () => stateOf(instanceName),
      isLost: async () =>
        (
          await base.db.query(
            'select from portal.instance_states where "instanceName" = $1 and alarmed_at is not null',
            [instanceName],
          )
        ).rowCount === 1,
    }
  }

  test("is lost, whatever the gateway's row says", async () => {
    const link = await linked()
    await link.ages(3_600)
    link.simulator.control.refuseLogins({ instance: link.instanceName })
    for (let look = 0; look < 4; look++) {
      for (let login = 0; login < 9; login++) {
        link.clock.advance(3_000)
        await turns()
        await link.reports('connecting')
      }
      await link.watch.poll()
      expect(await link.state()).toBe('connecting')
      await link.ages(30)
    }
    expect(await link.isLost()).toBe(true)
    expect(link.opened).toEqual([])
    await link.simulator.stop()
  })

  /** Opens for a second now and then, twice so far. */
  async function flipping() {
    const link = await linked()
    await link.ages(3_600)
    await link.reports('connecting')
    await link.ages(3)
    expect(await link.reports('open')).toBe('linked')
    await link.ages(1)
    await link.reports('connecting')
    link.simulator.control.dropLink({ instance: link.instanceName, backAfterMs: null })
    return link
  }

  test('is lost, though it opens for a moment each time', async () => {
    const link = await flipping()
    for (let flip = 0; flip < 6; flip++) {
      await link.ages(5)
      expect(await link.reports('open')).toBeNull()
      expect(await link.state()).toBe('connecting')
      await link.reports('connecting')
      await link.watch.poll()
    }
    expect(await link.isLost()).toBe(true)
    expect(link.opened).toEqual([])
    await link.simulator.stop()
  })

  test('is back once it is open in two consecutive polls', async () => {
    const standing = await linked()
    await standing.ages(3_600)
    await standing.reports('connecting')
    await standing.reports('open')
    await standing.reports('connecting')
    await standing.watch.poll()
    expect(await standing.state()).toBe('connecting')
    await standing.ages(30)
    await standing.watch.poll()
    expect(await standing.state()).toBe('open')
    expect(standing.opened).toEqual([standing.instanceName])
    await standing.simulator.stop()
  })

  const nowSeconds = () => Math.floor(Date.now() / 1000)

  test('is back at once when a message came in, but not by an earlier one', async () => {
    const link = await flipping()
    await link.reports('open')
    await link.hears(nowSeconds() - 60)
    expect(await link.state()).toBe('connecting')
    await link.hears(nowSeconds())
    expect(await link.state()).toBe('open')
    await link.ages(40)
    await link.watch.poll()
    expect(await link.isLost()).toBe(false)
    await link.simulator.stop()
  })

  test('with a message between two drops does not count as flipping', async () => {
    const link = await linked()
    await link.ages(3_600)
    await link.reports('connecting')
    await link.reports('open')
    await link.hears(nowSeconds())
    await link.ages(1)
    await link.reports('connecting')
    expect(await link.reports('open')).toBe('linked')
    expect(await link.state()).toBe('open')
    await link.simulator.stop()
  })

  test('is back at once when a send succeeded, and when a person links it', async () => {
    const sent = await flipping()
    await sent.reports('open')
    await createLinkLife(base.db).noteAlive(sent.instanceName)
    expect(await sent.state()).toBe('open')
    await sent.simulator.stop()

    const scanned = await flipping()
    await base.db.query(
      `update portal.instance_states set qr_received_at = clock_timestamp() where "instanceName" = $1`,
      [scanned.instanceName],
    )
    expect(await scanned.reports('open')).toBe('linked')
    await scanned.simulator.stop()
  })
})

test('a first link that drops before any poll has its number, and its loss is notified', async () => {
  const { instanceName } = await makeBroker(base.db, { broker_number: null })
  const report = (state: string, ownerJid: string | null, atMs: number) =>
    base.db.query('select portal.apply_link($1, $2::jsonb)', [
      instanceName,
      JSON.stringify({ state, reason: 200, rank: 2, atMs, ownerJid }),
    ])
  const nowMs = Date.now()
  await report('open', '5511955500077:3@s.whatsapp.net', nowMs)
  await report('close', null, nowMs + 5_000)
  const found = await createLinkStore(base.db).find(instanceName)
  expect(found).toMatchObject({ state: 'close', broker_number: '5511955500077' })
  await base.db.query(
    `update portal.instance_states set away_since = away_since - interval '30 seconds',
      changed_at = changed_at - interval '30 seconds'`,
  )
  const { rows } = await base.db.query('select portal.raise_lost_links() as name')
  expect(rows.map((row) => row['name'])).toContain(instanceName)
})
