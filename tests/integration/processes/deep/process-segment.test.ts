// kill -9 while a campaign to a segment is planned: the arms are stored whole or not at all, and the repeat draws the
// same persons into the holdout.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { fillBoard } from '#tests/support/board.ts'
import { ENGINES, openFolderOn } from '#tests/support/data-folder.ts'
import { eventually } from '#tests/support/eventually.ts'
import { ADMIN_PASSWORD, call, signIn, type RunningPortal } from '#tests/support/portal.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const ROUNDS = byTier(2, 10)
const LEADS = 1_500
const PERCENT = 20
/** Answers of other requests until the kill: from before the plan to after it. */
const MAX_ANSWERS = 60
/** The gateway is never asked, because the campaigns never begin. */
const GATEWAY = { EVOLUTION_URL: 'http://127.0.0.1:9', EVOLUTION_API_KEY: 'a-key-of-the-gateway' }
const STARTS_AT = '2099-01-02T12:00:00Z'

type Arms = { stored: number; heldOut: number[]; campaigns: number; recipients: number }
type Send = { id: number; receiving: number; heldOut: number; campaigns: number }
const NOTHING: Arms = { stored: 0, heldOut: [], campaigns: 0, recipients: 0 }

async function armsIn(db: Database): Promise<Arms> {
  const { rows } = await db.query<Arms>(
    `select (select count(*) from portal.segment_arms)::integer as stored,
       array(select contact_id::integer from portal.segment_arms where arm = 'holdout' order by 1) as "heldOut",
       (select count(*) from public.remarketing_campaigns)::integer as campaigns,
       (select count(*) from public.campaign_recipients)::integer as recipients`,
  )
  return rows[0]!
}
const storedId = async (db: Database) =>
  (await db.query<{ id: number }>('select id from portal.segment_sends')).rows[0]?.id ?? null
const forget = (db: Database) =>
  db.exec('delete from public.remarketing_campaigns; delete from portal.segment_sends')

describe.each(ENGINES)('%s', (engine) => {
  let folder: Awaited<ReturnType<typeof openFolderOn>>
  let portal: RunningPortal
  let token = ''
  /** The leads of the holdout before the first campaign. */
  let drawn: number[] = []

  const start = async () => {
    portal = await folder.start(GATEWAY)
    token = await signIn(portal.origin, 'admin@admin.local', ADMIN_PASSWORD)
  }
  const plan = (operationId: string) =>
    call<{ send: Send }>(`${portal.origin}/api/campaigns/segments`, {
      token,
      body: { operationId, question: {}, percent: PERCENT, message: 'Oi, {nome}!', startsAt: STARTS_AT },
    })
  const openly = async <T>(run: (db: Database) => Promise<T>): Promise<T> => {
    const db = await folder.open()
    try {
      return await run(db)
    } finally {
      await db.close()
    }
  }
  const expectWhole = (arms: Arms) =>
    expect(arms).toEqual({
      stored: LEADS,
      heldOut: drawn,
      campaigns: 1,
      recipients: LEADS - drawn.length,
    })

  /** The same operation after the restart. */
  async function repeat(operationId: string, known: number | null) {
    await start()
    const { status, body } = await plan(operationId)
    expect(status).toBe(200)
    expect(body.send).toEqual({
      id: known ?? body.send.id,
      receiving: LEADS - drawn.length,
      heldOut: drawn.length,
      campaigns: 1,
    })
    await portal.process.kill('SIGKILL')
    await openly(async (db) => {
      expectWhole(await armsIn(db))
      await forget(db)
    })
  }

  beforeAll(async () => {
    folder = await openFolderOn(engine, 'segment', (db) => fillBoard(db, LEADS, { hasMessages: false }))
    await start()
    for (let skip = 0; ; skip += 50) {
      const { body } = await call<{ count: number; leads: { id: number }[] }>(
        `${portal.origin}/rest/v1/rpc/get_segment_leads`,
        { token, body: { p_question: {}, p_group: 'holdout', p_percent: PERCENT, p_skip: skip } },
      )
      drawn.push(...body.leads.map(({ id }) => id))
      if (drawn.length >= body.count) break
    }
    drawn = drawn.toSorted((a, b) => a - b)
    await portal.process.kill('SIGKILL')
    // A tenth at least, so that another draw would be another set.
    expect(drawn.length).toBeGreaterThan(LEADS / 10)
  }, 120_000)
  afterAll(() => folder.close())

  test(`${ROUNDS} kills at any moment leave the arms whole or none`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const operationId = randomUUID()
      await start()
      let answersLeft = Math.floor(Math.random() * MAX_ANSWERS)
      const planned = plan(operationId).catch(() => null)
      while (answersLeft-- > 0) await fetch(`${portal.origin}/api/config`)
      await portal.process.kill('SIGKILL')
      const answer = await planned
      const known = await openly(async (db) => {
        const arms = await armsIn(db)
        if (answer !== null || arms.stored > 0) expectWhole(arms)
        else expect(arms).toEqual(NOTHING)
        return storedId(db)
      })
      if (answer !== null) expect(answer).toMatchObject({ status: 200, body: { send: { id: known } } })
      await repeat(operationId, known)
    }
  }, 900_000)

  test.runIf(engine === 'Postgres')(
    'a kill between the draw and the commit leaves none',
    async () => {
      const operationId = randomUUID()
      await start()
      const db = await folder.open()
      const planned = await db.transaction(async (query) => {
        // The arms are drawn by then; storing the recipients waits.
        await query('lock table public.campaign_recipients in share mode')
        const sent = plan(operationId).catch(() => null)
        await eventually(async () =>
          expect(
            (
              await query(
                `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
              )
            ).rowCount,
          ).toBe(1),
        )
        await portal.process.kill('SIGKILL')
        return sent
      })
      await db.close()
      expect(planned).toBeNull()
      await openly(async (closed) => expect(await armsIn(closed)).toEqual(NOTHING))
      await repeat(operationId, null)
    },
    120_000,
  )
})
