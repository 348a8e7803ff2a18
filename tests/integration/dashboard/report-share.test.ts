// What one account's reports, searches and counts cost the others: they wait for each other, and never in front of a
// broker's board. Only native Postgres has several connections.
import { afterAll, expect } from 'vitest'
import { databasesOf, onPostgres } from '#tests/support/database.ts'
import { makeManager, makeTeam } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, portal, ana, bia, asAna, asBia, asAdmin, close } = await openOffice({ isStill: true })
afterAll(close)

/** How many reports one account may run at once: 30 % of each portal's five connections, rounded up. */
const SHARE_OF_ONE = 2 * databasesOf(db).length

const asGerente = async () => {
  const { username } = await makeManager(db, await makeTeam(db, { brokers: [ana, bia] }))
  await portal.setPassword(username)
  return portal.enter(`${username}@admin.local`)
}
const asked = (calls: typeof asAna, path: string, given: object) =>
  calls.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(given),
  })

onPostgres.test.each([
  {
    who: 'a gerente who asks for thirty results',
    entered: asGerente,
    path: '/rest/v1/rpc/get_results',
    name: 'get_results',
    given: { p_from: '2026-11-01', p_to: '2026-11-30' },
    // Boards do not read the history of owners.
    table: 'portal.owner_history',
  },
  {
    who: 'a broker who searches thirty times',
    entered: () => Promise.resolve(asBia),
    path: '/rest/v1/rpc/search_messages',
    name: 'search_messages',
    given: { p_query: 'varanda' },
    // A broker's own board asks for no team.
    table: 'portal.team_members',
  },
  {
    who: 'an administrator whose screen counts a segment thirty times',
    entered: () => Promise.resolve(asAdmin),
    path: '/api/campaigns/segments/count',
    name: 'count_segment',
    given: { question: { quietDays: 30 }, percent: 10 },
    // Boards know nothing of the arms of campaigns.
    table: 'portal.segment_arms',
  },
])('$who at once holds two connections of each portal, and boards go on', async (one) => {
  const calls = await one.entered()
  const [, elsewhere] = databasesOf(db)
  const running = async () =>
    (
      await elsewhere!.query<{ count: number }>(
        `select count(*)::integer as count from pg_stat_activity
         where datname = current_database() and query like '%${one.name}%' and wait_event_type = 'Lock'`,
      )
    ).rows[0]?.count
  let answers: Promise<Response>[] = []
  await elsewhere!.transaction(async (query) => {
    // They all hang here, as long as a slow one would.
    await query(`lock table ${one.table} in access exclusive mode`)
    answers = Array.from({ length: 30 }, async () => asked(calls, one.path, one.given))
    while ((await running()) !== SHARE_OF_ONE);
    for (let time = 0; time < 5; time++) {
      const board = await asked(asAna, '/rest/v1/rpc/sync_board', { p_instance: ana.instanceName })
      expect(board.status).toBe(200)
    }
    expect(await running()).toBe(SHARE_OF_ONE)
  })
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses).toEqual(statuses.map(() => 200))
})
