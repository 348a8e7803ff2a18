// The change numbers under transactions that overlap: none is lost, none waits for another in a circle.
// Only native Postgres has several connections.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { Query } from '#server/db/database.ts'
import { openTestDatabase, onPostgres, type TestDatabase } from '#tests/support/database.ts'
import {
  makeBroker,
  makeContact,
  makeStage,
  signIn,
  untilLockAwaited,
  type MadeBroker,
} from '#tests/support/make.ts'

let base: TestDatabase
let ana: MadeBroker
let asAna: Claims
beforeAll(async () => {
  base = await openTestDatabase('migrated')
  ana = await makeBroker(base.db)
  asAna = await signIn(base.db, ana)
})
afterAll(() => base.close())

type Board = { cursor: string; reset: boolean; leads: { id: number; name: string }[]; removed: number[] }

async function sync(cursor: string | null = null): Promise<Board> {
  const { rows } = await asUser(base.db, asAna, (query) =>
    query<{ board: Board }>('select public.sync_board($1, $2) as board', [ana.instanceName, cursor]),
  )
  if (!rows[0]) throw new Error('no board')
  return rows[0].board
}

const rename = (query: Query, id: number, name: string) =>
  query('update public.whatsapp_contacts set name = $1 where id = $2', [name, id])

onPostgres.describe('several connections', () => {
  test('a change that was made first and commits last is not lost', async () => {
    const early = await makeContact(base.db, ana.instanceName)
    const late = await makeContact(base.db, ana.instanceName)
    const { cursor } = await sync()
    let between: Board | undefined
    await base.db.transaction(async (slow) => {
      await rename(slow, late.id, 'tarde')
      await base.db.transaction((fast) => rename(fast, early.id, 'cedo'))
      between = await sync(cursor)
    })
    expect(between?.leads.map((lead) => lead.id)).toEqual([early.id])
    const after = await sync(between?.cursor)
    expect(after.leads.map((lead) => [lead.id, lead.name])).toEqual([[late.id, 'tarde']])
  })

  test('who reads while a commit is under way misses nothing afterwards', async () => {
    const leads = await Promise.all(Array.from({ length: 4 }, () => makeContact(base.db, ana.instanceName)))
    const seen = new Map<number, string>()
    let { cursor } = await sync()
    const written = new Map<number, string>()
    const allWritten = new AbortController()
    const writers = leads.map(async (lead) => {
      for (let n = 1; n <= 40; n++) {
        await base.db.transaction((query) => rename(query, lead.id, `volta ${n}`))
        written.set(lead.id, `volta ${n}`)
      }
    })
    const reader = (async () => {
      while (!allWritten.signal.aborted) {
        const board = await sync(cursor)
        expect(board.reset).toBe(false)
        for (const lead of board.leads) seen.set(lead.id, lead.name)
        cursor = board.cursor
      }
    })()
    await Promise.all(writers)
    allWritten.abort()
    await reader
    for (const lead of (await sync(cursor)).leads) seen.set(lead.id, lead.name)
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(written))
  })

  test('transactions that commit changes of many boards at once do not block each other', async () => {
    const brokers = await Promise.all(Array.from({ length: 20 }, () => makeBroker(base.db)))
    const boards = brokers.map((broker) => broker.instanceName).toSorted()
    const leads = async () =>
      (await Promise.all(boards.map((board) => makeContact(base.db, board)))).map((lead) => lead.id)
    const [ones, others] = [await leads(), await leads()]
    const renameAll = (ids: number[], name: string) =>
      base.db.transaction(async (query) => {
        for (const id of ids) await rename(query, id, name)
      })
    let commits: Promise<unknown>[] = []
    // The first board is held until both stand before a lock with whatever they have got by then.
    await base.db.transaction(async (query) => {
      await query('select from portal.board_sequences where "instanceName" = $1 for update', [
        boards[0] ?? '',
      ])
      commits = [renameAll(ones, 'para frente'), renameAll(others.toReversed(), 'para trás')]
      await untilLockAwaited(base.db, 2)
    })
    await Promise.all(commits)
    const { rows } = await base.db.query(
      'select name, count(*) as leads from public.whatsapp_contacts where id = any($1::int8[]) group by name order by name',
      [[...ones, ...others].map(String)],
    )
    expect(rows).toEqual([
      { name: 'para frente', leads: 20 },
      { name: 'para trás', leads: 20 },
    ])
  })

  test('bulk writers and single ones go on together: stages go, leads move, messages come, brokers are removed', async () => {
    const brokers = await Promise.all(Array.from({ length: 3 }, () => makeBroker(base.db)))
    const stages = await Promise.all(Array.from({ length: 3 }, () => makeStage(base.db)))
    await base.db.query(
      `insert into public.whatsapp_contacts ("instanceName", number, status)
     select b.name, '5511' || (900000000 + row_number() over ()), s.slug
     from unnest($1::text[]) b (name), unnest($2::text[]) s (slug), generate_series(1, 60)`,
      [brokers.map((broker) => broker.instanceName), stages.map((stage) => stage.slug)],
    )
    const { rows: leads } = await base.db.query<{ id: number; instanceName: string }>(
      'select id, "instanceName" from public.whatsapp_contacts where "instanceName" = any($1::text[])',
      [brokers.map((broker) => broker.instanceName)],
    )
    const singles = async (offset: number) => {
      for (let n = offset; n < leads.length; n += 12) {
        await base.db.query(
          `insert into public.whatsapp_messages (contact_id, "instanceName", message_id, "timestamp", type)
         values ($1, $2, $3, $4, 'incoming')`,
          [leads[n]?.id ?? 0, leads[n]?.instanceName ?? '', `race${offset}-${n}`, n],
        )
        await base.db.query('update public.whatsapp_contacts set notes = $1 where id = $2', [
          'lido',
          leads[n]?.id ?? 0,
        ])
      }
    }
    const bulk = async () => {
      for (const stage of stages)
        await base.db.query('delete from public.kanban_stages where id = $1', [stage.id])
      await base.db.query('delete from public.brokers where id = $1', [brokers[0]?.id ?? ''])
    }
    await Promise.all([bulk(), singles(0), singles(1), singles(2)])
    const { rows } = await base.db.query(
      `select status, count(*) filter (where "instanceName" is null) as ownerless, count(*) as leads
     from public.whatsapp_contacts where id = any($1::int8[]) group by status`,
      [leads.map((lead) => String(lead.id))],
    )
    expect(rows).toEqual([{ status: 'new', ownerless: 180, leads: 540 }])
  })

  test('a new lead for a broker who is being removed is refused, not half there', async () => {
    const leaving = await makeBroker(base.db)
    let writing: Promise<unknown> | undefined
    await base.db.transaction(async (query) => {
      await query('delete from public.brokers where id = $1', [leaving.id])
      writing = makeContact(base.db, leaving.instanceName).catch((error: unknown) => error)
      await untilLockAwaited(base.db)
    })
    expect(await writing).toMatchObject({ code: '23503' })
    const left = await base.db.query('select from portal.board_pending')
    expect(left.rows).toEqual([])
  })
})
