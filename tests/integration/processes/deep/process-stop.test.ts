// The built portal over a Postgres whose statement never ends, when it is asked to stop.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import type { Database } from '#server/db/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { useStarts } from '#tests/support/starts.ts'
import { findPostgres, startPostgres, type RunningPostgres } from '#tests/support/runner/native-postgres.mjs'

const programs = await findPostgres()
/** Sleeps longer than any limit, and goes on sleeping when it is cancelled. */
const HANGING = `create or replace function portal.keep_intakes(p_arrivals jsonb)
  returns setof jsonb language plpgsql volatile security definer set search_path = '' as $$
  begin
    loop
      begin
        perform pg_sleep(600);
      exception when query_canceled then null;
      end;
    end loop;
  end $$`

describe.runIf(programs)('a statement that never ends on Postgres', () => {
  const { start } = useStarts()
  let postgres: RunningPostgres
  let db: Database
  beforeAll(async () => {
    postgres = await startPostgres(programs ?? '')
    db = openPostgres({ url: postgres.url, maxConnections: 1, onError: () => undefined })
  })
  afterAll(async () => {
    await db.close()
    await postgres.stop()
  })

  async function hang() {
    const portal = await start({ DATABASE_URL: postgres.url, JWT_SECRET: 'x'.repeat(40), DEMO: '0' })
    await db.exec(HANGING)
    const asked = fetch(`${portal.origin}/api/leads?key=x`, { method: 'POST', body: '{}' }).catch(() => null)
    await eventually(async () => {
      const { rowCount } = await db.query(
        `select from pg_stat_activity where state = 'active' and wait_event = 'PgSleep'`,
      )
      expect(rowCount).toBeGreaterThan(0)
    })
    return { ...portal, asked }
  }

  test('SIGTERM ends the portal within 20 s', { timeout: 120_000 }, async () => {
    const { process: portal, asked } = await hang()
    const beganAtMs = performance.now()
    expect(await portal.kill('SIGTERM')).toMatchObject({ code: 0 })
    expect(performance.now() - beganAtMs).toBeLessThan(20_000)
    await asked
  })

  test('a second signal ends it at once', { timeout: 120_000 }, async () => {
    const { process: portal, origin, asked } = await hang()
    const ending = portal.kill('SIGTERM')
    await eventually(() => expect(fetch(`${origin}/api/config`)).rejects.toThrow('fetch failed'))
    const beganAtMs = performance.now()
    void portal.kill('SIGINT')
    const again = setInterval(() => void portal.kill('SIGINT'), 300)
    expect(await ending).toMatchObject({ code: 1 })
    clearInterval(again)
    expect(performance.now() - beganAtMs).toBeLessThan(3_000)
    await asked
  })
})
