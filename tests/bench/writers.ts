// 32 writers of a few boards at once over a disk whose flush takes 2 ms, and phones that follow: writes per second, and
// whether every phone gets every change, each lead's in order.
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import { inRoot } from '#server/ops/cli/root.mjs'
import { makeBroker, makeContact, signIn } from '#tests/support/make.ts'
import type { Engine } from './engines.ts'
import { rest } from './http.ts'
import type { Measure } from './measure.ts'

const BOARDS = 4
const WRITERS_A_BOARD = 8
const CHANGES = 60
/** The server waits before each flush, to simulate a slow disk. */
const SLOW_FLUSH = '-c commit_delay=2000 -c commit_siblings=0'

type Board = { cursor: string; leads: { id: number; name: string }[] }

export async function measureWriters(engine: Engine): Promise<Measure[]> {
  const url = engine.env['DATABASE_URL']
  // One connection writes in sequence.
  if (url === undefined) return []
  const slow = new URL(url)
  slow.searchParams.set('options', SLOW_FLUSH)
  const open = (maxConnections: number) =>
    openPostgres({ url: slow.href, maxConnections, onError: () => undefined })
  const [writing, reading] = [open(BOARDS * WRITERS_A_BOARD), open(BOARDS)]
  try {
    await migrate(writing, inRoot('supabase'))
    return await measureOn(engine, writing, reading)
  } finally {
    await Promise.all([writing.close(), reading.close()])
  }
}

async function measureOn({ name }: Engine, writing: Database, reading: Database): Promise<Measure[]> {
  const boards = await Promise.all(
    Array.from({ length: BOARDS }, async () => {
      const broker = await makeBroker(writing)
      const leads = await Promise.all(
        Array.from({ length: WRITERS_A_BOARD }, () => makeContact(writing, broker.instanceName)),
      )
      const phone = await follow(reading, broker.instanceName, await signIn(writing, broker))
      return { leads: leads.map(({ id }) => id), phone }
    }),
  )
  const startedAt = performance.now()
  await Promise.all(
    boards.flatMap(({ leads }) =>
      leads.map(async (id) => {
        for (let n = 1; n <= CHANGES; n++)
          await writing.transaction((query) =>
            query('update public.whatsapp_contacts set name = $1 where id = $2', [`volta ${n}`, id]),
          )
      }),
    ),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const last = `volta ${CHANGES}`
  const missing = () =>
    boards.flatMap(({ leads, phone }) => leads.filter((id) => phone.names.get(id) !== last)).length
  const waitsUntil = performance.now() + 5_000
  while (missing() > 0 && performance.now() < waitsUntil) await rest(20)
  const lost = missing()
  await Promise.all(boards.map(({ phone }) => phone.stop()))
  const backwards = boards.reduce((sum, { phone }) => sum + phone.wentBack(), 0)
  const writers = `${BOARDS * WRITERS_A_BOARD} writers, a flush of 2 ms`
  return [
    {
      name: `${name}: ${writers}: changes`,
      value: (BOARDS * WRITERS_A_BOARD * CHANGES) / seconds,
      unit: '/s',
    },
    { name: `${name}: ${writers}: last changes a phone missed`, value: lost, unit: '', limit: 0 },
    { name: `${name}: ${writers}: changes seen out of order`, value: backwards, unit: '', limit: 0 },
  ]
}

/** Like the app: each notification triggers a fetch from the last position, one fetch at a time. */
async function follow(db: Database, board: string, claims: Claims) {
  const names = new Map<number, string>()
  let cursor: string | null = null
  let back = 0
  let isAsked = false
  let reading: Promise<void> | null = null
  const turnOf = (name: string | undefined) => Number(name?.split(' ')[1] ?? 0)

  async function read() {
    while (isAsked) {
      isAsked = false
      const { rows } = await asUser(db, claims, (query) =>
        query<{ board: Board }>('select public.sync_board($1, $2) as board', [board, cursor]),
      )
      const next = rows[0]?.board
      for (const { id, name } of next?.leads ?? []) {
        if (turnOf(name) < turnOf(names.get(id))) back++
        names.set(id, name)
      }
      cursor = next?.cursor ?? cursor
    }
  }
  const ask = () => {
    isAsked = true
    reading ??= read().finally(() => (reading = null))
  }
  const stop = await db.listen(
    'portal',
    (payload) => {
      if (payload.includes(board)) ask()
    },
    ask,
  )
  const settled = async () => {
    await reading
  }
  ask()
  await settled()
  return {
    names,
    wentBack: () => back,
    stop: async () => {
      await settled()
      await stop()
    },
  }
}
