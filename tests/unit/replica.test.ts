// Which reads go to a read replica: only while its last known lag is small, and never those that it cannot answer.
import { expect, test } from 'vitest'
import { SqlError, type Answered, type Database } from '#server/db/database.ts'
import { createReplicaReads } from '#server/db/replica.ts'
import { manualClock } from '#tests/support/clock.ts'
import { silentLog } from '#tests/support/gateway.ts'

function stage() {
  const clock = manualClock(0)
  let lagMs = 0
  let fault: SqlError | null = null
  const beatAt = (beat: () => number): Database =>
    ({
      query: () => Promise.resolve({ rows: [{ beat: beat() }], rowCount: 1 } as Answered<never>),
    }) as Pick<Database, 'query'> as Database
  const primary = beatAt(() => clock.now())
  const replica = beatAt(() => {
    if (fault) throw fault
    return clock.now() - lagMs
  })
  const { reading, start } = createReplicaReads({ primary, replica, clock, log: silentLog })
  const settle = async () => {
    for (let turns = 0; turns < 10; turns++) await Promise.resolve()
  }
  return {
    clock,
    start: async () => {
      const stop = start()
      await settle()
      return stop
    },
    pass: async (ms: number) => {
      clock.advance(ms)
      await settle()
    },
    setLag: (ms: number) => (lagMs = ms),
    setFault: (code: string | null) => (fault = code === null ? null : new SqlError({ code, message: 'm' })),
    /** The databases that a read ran on, in order. */
    read: async (refusal?: string) => {
      const ran: string[] = []
      const done = reading((db) => {
        ran.push(db === replica ? 'replica' : 'primary')
        if (db === replica && refusal !== undefined)
          return Promise.reject(new SqlError({ code: refusal, message: 'm' }))
        return Promise.resolve('answer')
      })
      return { ran, answer: await done.catch((error: SqlError) => error.code) }
    },
  }
}
const AT_PRIMARY = { ran: ['primary'], answer: 'answer' }
const AT_REPLICA = { ran: ['replica'], answer: 'answer' }
const AT_BOTH = { ran: ['replica', 'primary'], answer: 'answer' }

test('before its lag is known the replica is not used', async () => {
  const { read, start } = stage()
  expect(await read()).toEqual(AT_PRIMARY)
  await start()
  expect(await read()).toEqual(AT_REPLICA)
})

test('the replica is left at a lag of 10 s, and used again below it', async () => {
  const { read, start, setLag, pass } = stage()
  await start()
  setLag(9_000)
  await pass(2_000)
  expect(await read()).toEqual(AT_REPLICA)
  setLag(10_000)
  await pass(2_000)
  expect(await read()).toEqual(AT_PRIMARY)
  setLag(3_000)
  await pass(2_000)
  expect(await read()).toEqual(AT_REPLICA)
})

test('a measurement that stops counts as growing lag', async () => {
  const { read, start, pass } = stage()
  const stop = await start()
  await stop()
  await pass(9_999)
  expect(await read()).toEqual(AT_REPLICA)
  await pass(1)
  expect(await read()).toEqual(AT_PRIMARY)
})

test.each(['42883', '22012', '40001', 'PT404'])(
  'an answer %s of the replica is asked of the primary again',
  async (code) => {
    const { read, start } = stage()
    await start()
    expect(await read(code)).toEqual(AT_BOTH)
    expect(await read()).toEqual(AT_REPLICA)
  },
)

test('a statement that was too slow is not run again', async () => {
  const { read, start } = stage()
  await start()
  expect(await read('57014')).toEqual({ ran: ['replica'], answer: '57014' })
})

test('a replica that is away is left at once, until it answers again', async () => {
  const { read, start, setFault, pass } = stage()
  await start()
  setFault('08006')
  expect(await read('08006')).toEqual(AT_BOTH)
  expect(await read()).toEqual(AT_PRIMARY)
  await pass(2_000)
  expect(await read()).toEqual(AT_PRIMARY)
  setFault(null)
  await pass(2_000)
  expect(await read()).toEqual(AT_REPLICA)
})
