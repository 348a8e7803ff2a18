// Change numbers under overlapping transactions: none is lost, and none deadlocks. Only native Postgres has several
// connections.
import { expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { Database, Query } from '#server/db/database.ts'
import { databasesOf, onPostgres, openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeStage, signIn, untilLockAwaited } from '#tests/support/make.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

const base = await openBase()
const ana = await makeBroker(base.db)
const asAna = await signIn(base.db, ana)

type Board = { cursor: string; reset: boolean; leads: { id: number; name: string }[]; removed: number[] }

async function syncOf(db: Database, board: string, claims: Claims, cursor: string | null = null) {
  const { rows } = await asUser(db, claims, (query) =>
    query<{ board: Board }>('select public.sync_board($1, $2) as board', [board, cursor]),
  )
  if (!rows[0]) throw new Error('no board')
  return rows[0].board
}

const sync = (cursor: string | null = null) => syncOf(base.db, ana.instanceName, asAna, cursor)

/** Like the app: each notification triggers a fetch from the last position, one fetch at a time. */
async function listen(db: Database, board: string, claims: Claims) {
  let { cursor } = await syncOf(db, board, claims)
  const names = new Map<number, string>()
  const wentBack: string[] = []
  let reading: Promise<void> = Promise.resolve()
  const turnOf = (name: string | undefined) => Number(name?.split(' ')[1] ?? 0)
  const read = async () => {
    const next = await syncOf(db, board, claims, cursor)
    cursor = next.cursor
    for (const { id, name } of next.leads) {
      if (turnOf(name) < turnOf(names.get(id))) wentBack.push(`${id}: ${name}`)
      names.set(id, name)
    }
  }
  const stop = await db.listen(
    'portal',
    (payload) => {
      if (payload.includes(board)) reading = reading.then(read)
    },
    () => undefined,
  )
  return { names, wentBack, stop: () => reading.then(stop) }
}

const rename = (query: Query, id: number, name: string) =>
  query('update public.whatsapp_contacts set name = $1 where id = $2', [name, id])

onPostgres.describe('several connections', () => {
  test('a change made first and committed last is not lost', async () => {
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

  test('a reader during a commit misses nothing afterwards', async () => {
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

  test.runIf(isDeepRun)(
    '32 writers on a few boards: every listener gets every change, and no lead goes back in time',
    async () => {
      const boards = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const broker = await makeBroker(base.db)
          const leads = await Promise.all(
            Array.from({ length: 8 }, () => makeContact(base.db, broker.instanceName)),
          )
          return { broker, claims: await signIn(base.db, broker), leads: leads.map(({ id }) => id) }
        }),
      )
      const [reading, writing] = databasesOf(base.db)
      const phones = await Promise.all(
        boards.map(({ broker, claims }) => listen(reading ?? base.db, broker.instanceName, claims)),
      )
      await Promise.all(
        boards.flatMap(({ leads }) =>
          leads.map(async (id) => {
            for (let n = 1; n <= 15; n++)
              await (writing ?? base.db).transaction((query) => rename(query, id, `volta ${n}`))
          }),
        ),
      )
      for (const [at, { leads }] of boards.entries()) {
        const phone = phones[at]
        await expect.poll(() => leads.map((id) => phone?.names.get(id))).toEqual(leads.map(() => 'volta 15'))
        await phone?.stop()
        expect(phone?.wentBack).toEqual([])
      }
    },
  )

  test('every portal gets notifications, after the commit and never of a rollback', async () => {
    const lead = await makeContact(base.db, ana.instanceName)
    const other = await makeContact(base.db, ana.instanceName)
    const portals = databasesOf(base.db)
    const heard: string[][] = portals.map(() => [])
    const stops = await Promise.all(
      portals.map((db, at) => db.listen('portal', (payload) => heard[at]?.push(payload))),
    )
    const noted = (id: number) =>
      `{"kind": "conversation", "contactId": ${id}, "instanceName": "${ana.instanceName}"}`
    const write = (query: Query, id: number) =>
      query(
        `insert into public.whatsapp_messages (contact_id, "instanceName", message_id, "timestamp", type)
         values ($1, $2, $3, 1, 'incoming')`,
        [id, ana.instanceName, `told-${id}`],
      )
    await base.db.transaction((query) => write(query, other.id), { rollback: true })
    await expect(
      base.db.transaction(async (query) => {
        await write(query, other.id)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await base.db.transaction(async (query) => {
      await write(query, lead.id)
      // A second transaction runs completely meanwhile.
      await base.db.query('update public.whatsapp_contacts set name = $1 where id = $2', ['Outra', other.id])
      await expect.poll(() => heard.filter((each) => each.length > 0)).toHaveLength(portals.length)
      expect(heard.flat().join(' ')).not.toContain('conversation')
    })
    for (const each of heard) await expect.poll(() => each).toContain(noted(lead.id))
    expect(heard.flat()).not.toContain(noted(other.id))
    for (const stop of stops) await stop()
  })

  test('shared values of leads change in parallel: a number, an opt-out, a stage', async () => {
    const brokers = await Promise.all(Array.from({ length: 3 }, () => makeBroker(base.db)))
    const stage = await makeStage(base.db)
    const leads = await Promise.all(
      brokers.flatMap(({ instanceName }) =>
        Array.from({ length: 6 }, (_, at) =>
          makeContact(base.db, instanceName, { number: `551193000000${at}` }),
        ),
      ),
    )
    const ids = leads.map(({ id }) => id)
    const renameAll = (inOrder: number[], name: string) =>
      base.db.transaction(async (query) => {
        for (const id of inOrder) await rename(query, id, name)
      })
    const shared = async (n: number) => {
      await base.db.query('update public.brokers set broker_number = $1 where id = $2', [
        `551192${String(n).padStart(7, '0')}`,
        brokers[n % 3]?.id ?? '',
      ])
      await base.db.query(
        `update portal.people set opted_out_at = case when opted_out_at is null then now() end
         where id in (select person_id from public.whatsapp_contacts where id = $1)`,
        [ids[n % ids.length] ?? 0],
      )
      await base.db.query('update public.kanban_stages set name = $1 where id = $2', [
        `Coluna ${n}`,
        stage.id,
      ])
    }
    for (let n = 0; n < 12; n++) {
      const half = ids.length / 2
      // One transaction writes each lead: the shared rows must not cause a deadlock.
      await Promise.all([
        renameAll(ids.slice(0, half), `para frente ${n}`),
        renameAll(ids.slice(half).toReversed(), `para trás ${n}`),
        shared(n),
        shared(n + 1),
      ])
    }
    const [broker] = brokers
    if (!broker) throw new Error('nobody')
    const claims = await signIn(base.db, broker)
    const { cursor } = await syncOf(base.db, broker.instanceName, claims)
    expect(await syncOf(base.db, broker.instanceName, claims, cursor)).toMatchObject({
      reset: false,
      leads: [],
      cursor,
    })
  })

  test('bulk and single writers run in parallel: stages removed, leads moved, messages added, brokers removed', async () => {
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

  test('JIT compilation is off, because it takes longer than our statements', async () => {
    const sql = `select current_setting('jit') as jit`
    expect((await base.db.query(sql)).rows).toEqual([{ jit: 'off' }])
    expect((await base.db.transaction((query) => query(sql))).rows).toEqual([{ jit: 'off' }])
  })

  test('a new lead for a broker who is being removed is refused completely', async () => {
    const leaving = await makeBroker(base.db)
    let writing: Promise<unknown> | undefined
    await base.db.transaction(async (query) => {
      await query('delete from public.brokers where id = $1', [leaving.id])
      writing = makeContact(base.db, leaving.instanceName).catch((error: unknown) => error)
      await untilLockAwaited(base.db)
    })
    expect(await writing).toMatchObject({ code: '23503' })
  })
})
