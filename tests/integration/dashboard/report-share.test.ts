// What one account's reports cost the others: they wait for each other, and never in front of a broker's board. Only
// native Postgres has several connections.
import { afterAll, expect } from 'vitest'
import { databasesOf, onPostgres } from '#tests/support/database.ts'
import { makeManager, makeTeam } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, portal, ana, bia, asAna, close } = await openOffice({ isStill: true })
afterAll(close)

/** Three in ten of each portal's five connections, rounded. */
const SHARE_OF_ONE = 2 * databasesOf(db).length

onPostgres.test(
  'a gerente who asks for thirty results at once holds two connections of each portal, and boards go on',
  async () => {
    const { username } = await makeManager(db, await makeTeam(db, { brokers: [ana, bia] }))
    await portal.setPassword(username)
    const gerente = await portal.enter(`${username}@admin.local`)
    const asked = (calls: typeof asAna, name: string, given: object) =>
      calls.request(`/rest/v1/rpc/${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(given),
      })
    const [, elsewhere] = databasesOf(db)
    const running = async () =>
      (
        await elsewhere!.query<{ count: number }>(
          `select count(*)::integer as count from pg_stat_activity
         where datname = current_database() and query like '%get_results%' and wait_event_type = 'Lock'`,
        )
      ).rows[0]?.count
    let reports: Promise<Response>[] = []
    await elsewhere!.transaction(async (query) => {
      // Only reports read the history of owners: they all hang here, as long as a slow one would.
      await query('lock table portal.owner_history in access exclusive mode')
      reports = Array.from({ length: 30 }, async () =>
        asked(gerente, 'get_results', { p_from: '2026-11-01', p_to: '2026-11-30' }),
      )
      while ((await running()) !== SHARE_OF_ONE);
      for (let time = 0; time < 5; time++) {
        const board = await asked(asAna, 'sync_board', { p_instance: ana.instanceName })
        expect(board.status).toBe(200)
      }
      expect(await running()).toBe(SHARE_OF_ONE)
    })
    const answers = await Promise.all(reports)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  },
)
