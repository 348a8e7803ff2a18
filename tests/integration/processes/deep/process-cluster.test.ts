// Two built portals over a real cluster: the leader is killed three times and switched over three times, while people work.
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
const SILENT_MS = 15_000

describe.runIf(hasClusterPrograms)('a cluster whose leader changes', () => {
  let cluster: Cluster
  let way: SilentWay
  let dataDir: string
  let agency: Pick<Agency, 'db' | 'delivered' | 'portals' | 'leads' | 'webhook' | 'close'>
  let token: string
  /** Printed at the end, for the table in docs/instalacao.md: milliseconds. */
  const figures: Record<string, number> = {}

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
    process.stdout.write(`${JSON.stringify(figures)}\n`)
    await agency?.close()
    await way?.close()
    await cluster?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Again until the portal has found the new leader. */
  async function listen(place: Place) {
    for (;;) {
      const answer = await fetch(`${agency.portals[place].origin}/api/events`, {
        headers: { authorization: `Bearer ${token}` },
      })
      if (answer.ok) return hearEvents(answer)
      await answer.body?.cancel()
    }
  }

  /** People work before, during and after the change. Returns the longest wait for an acknowledged write. */
  async function during(name: string, change: () => Promise<unknown>): Promise<number> {
    await cluster.whenSafe()
    const work = beginWork(agency, token)
    const places = ['straight', 'pooled'] as const
    await work.isFurther()
    work.takeLongestMs()
    await change()
    const ledAtMs = performance.now()
    await work.isFurther()
    for (const place of places) {
      const heard = await listen(place)
      await heard.until(({ kind }) => kind === 'board')
      await heard.close()
    }
    figures[`${name}, events`] = Math.round(performance.now() - ledAtMs)
    const longestMs = work.takeLongestMs()
    figures[name] = longestMs
    await expectWhole(agency, await work.end())
    return longestMs
  }

  test.each([1, 2, 3])('the leader is killed, time %i', { timeout: 300_000 }, async (time) => {
    let restart = () => Promise.resolve()
    try {
      const longestMs = await during(`kill ${time}`, async () => {
        ;({ restart } = await cluster.killLeader())
      })
      expect(longestMs).toBeLessThan(KILL_MS)
    } finally {
      await restart()
    }
  })

  test('a switch-over', { timeout: 300_000 }, async () => {
    expect(await during('switch-over', cluster.switchOver)).toBeLessThan(SWITCH_MS)
  })

  test('a switch-over, while HAProxy keeps the sessions', { timeout: 300_000 }, async () => {
    await cluster.startProxy({ cutsSessions: false })
    expect(await during('switch-over, sessions kept', cluster.switchOver)).toBeLessThan(SWITCH_MS)
  })

  test('a switch-over, while the old connections fall silent', { timeout: 300_000 }, async () => {
    const longestMs = await during('switch-over, silent', () => {
      way.silence()
      return cluster.switchOver()
    })
    expect(longestMs).toBeLessThan(SILENT_MS)
  })

  test('the portals live through all of it', async () => {
    for (const { origin } of Object.values(agency.portals))
      expect((await fetch(`${origin}/api/health`)).status).toBe(200)
  })
})
