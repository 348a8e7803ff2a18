// Two built portals over a real cluster: the leader is killed three times and switched over three times, while people
// work.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import { beginWork, expectWhole } from '#tests/support/agency-work.ts'
import { linkAgency, type Agency, type Place } from '#tests/support/agency.ts'
import { BROKER } from '#tests/support/board.ts'
import { hasClusterPrograms, startCluster, type Cluster } from '#tests/support/cluster.ts'
import { hearEvents } from '#tests/support/live-events.ts'
import { signIn } from '#tests/support/portal.ts'
import { openSilentWay, type SilentWay } from '#tests/support/silent-way.ts'

const LEADS = 40
/** The longest wait for an acknowledged write. Patroni needs its ttl of 30 s to miss a killed leader. */
const KILL_MS = 40_000
const SWITCH_MS = 5_000
/** From the moment a new leader leads until people see changes of others again. */
const EVENTS_MS = 2_000

describe.runIf(hasClusterPrograms)('a cluster whose leader changes', () => {
  let cluster: Cluster
  let way: SilentWay
  let dataDir: string
  let agency: Pick<Agency, 'db' | 'delivered' | 'portals' | 'leads' | 'webhook' | 'close'>
  let token: string
  /** The measured waits, printed at the end for docs/instalacao.md. */
  const figures: { name: string; longestMs: number; eventsMs: number }[] = []

  beforeAll(async () => {
    cluster = await startCluster()
    way = await openSilentWay(cluster.proxyUrl)
    dataDir = await mkdtemp(path.join(tmpdir(), 'portal-cluster-'))
    const db = openPostgres({ url: cluster.listUrl, maxConnections: 4, onError: () => undefined })
    agency = await linkAgency({
      leads: LEADS,
      dataDir,
      db,
      ways: { straight: { DATABASE_URL: cluster.listUrl }, pooled: { DATABASE_URL: way.url } },
    })
    token = await signIn(agency.portals.straight.origin, BROKER.email, BROKER.password)
  }, 300_000)
  afterAll(async () => {
    process.stdout.write(figures.map((figure) => `${JSON.stringify(figure)}\n`).join(''))
    await agency?.close()
    await way?.close()
    await cluster?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** A stream that was opened before the change and lives through it. */
  async function listen(place: Place) {
    const stream = hearEvents(
      await fetch(`${agency.portals[place].origin}/api/events`, {
        headers: { authorization: `Bearer ${token}` },
      }),
    )
    const hearMove = async () => {
      await stream.until(({ kind }) => kind === 'board')
      return performance.now()
    }
    await hearMove()
    // The portal reports that it may have missed changes, then the next one.
    const isBack = stream.until(({ kind }) => kind === 'gap').then(hearMove)
    isBack.catch(() => undefined)
    return { close: stream.close, isBack }
  }

  /**
   * People work and listen before, during and after the change. Returns the longest wait for an acknowledged write, and
   * how long after the change both portals' listeners heard of a move.
   */
  async function during(name: string, change: () => Promise<unknown>) {
    await cluster.whenSafe()
    const work = beginWork(agency, token)
    try {
      await work.isFurther()
      const streams = await Promise.all((['straight', 'pooled'] as const).map(listen))
      work.takeLongestMs()
      await change()
      const ledAtMs = performance.now()
      const heardAtMs = await Promise.all(streams.map(({ isBack }) => isBack))
      const eventsMs = Math.round(Math.max(...heardAtMs) - ledAtMs)
      await work.isFurther()
      const longestMs = work.takeLongestMs()
      figures.push({ name, longestMs, eventsMs })
      await Promise.all(streams.map(({ close }) => close()))
      await expectWhole(agency, await work.end())
      return { longestMs, eventsMs }
    } finally {
      await work.end()
    }
  }

  test.each([1, 2, 3])('the leader is killed, time %i', { timeout: 300_000 }, async (time) => {
    let restart = () => Promise.resolve()
    try {
      const { longestMs, eventsMs } = await during(`kill ${time}`, async () => {
        ;({ restart } = await cluster.killLeader())
      })
      expect(longestMs).toBeLessThan(KILL_MS)
      expect(eventsMs).toBeLessThan(EVENTS_MS)
    } finally {
      await restart()
    }
  })

  test.each([
    ['switch-over', () => cluster.switchOver()],
    [
      'switch-over, sessions kept by HAProxy',
      async () => {
        await cluster.startProxy({ cutsSessions: false })
        await cluster.switchOver()
      },
    ],
    [
      'switch-over, old connections silent',
      () => {
        way.silence()
        return cluster.switchOver()
      },
    ],
  ])('%s', { timeout: 300_000 }, async (name, change) => {
    const { longestMs, eventsMs } = await during(name, change)
    expect(longestMs).toBeLessThan(SWITCH_MS)
    expect(eventsMs).toBeLessThan(EVENTS_MS)
  })

  test('the portals live through all of it', async () => {
    for (const { origin } of Object.values(agency.portals))
      expect((await fetch(`${origin}/api/health`)).status).toBe(200)
  })
})
