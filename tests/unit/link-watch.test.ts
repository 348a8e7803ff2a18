// Polling all links: the gateway's state, and a stop that waits for a running poll.
import { expect, test } from 'vitest'
import { createWatch } from '#server/whatsapp/connection/link-watch.ts'
import { createWatches } from '#server/whatsapp/connection/watches.ts'
import type { Database } from '#server/db/database.ts'
import { createLog } from '#server/log.ts'
import { GatewayError, type Gateway, type GatewayInstance } from '#server/gateway.ts'
import { manualClock } from '#tests/support/clock.ts'
import { turns } from '#tests/support/gateway.ts'

function stage(listInstances: () => Promise<GatewayInstance[]>) {
  const lines: string[] = []
  const clock = manualClock()
  const db = { query: () => Promise.resolve({ rows: [], rowCount: 0 }) } as unknown as Database
  const watch = createWatch({
    db,
    clock,
    log: createLog('debug', (line) => lines.push(line)),
    gateway: { listInstances } as Gateway,
    onOpened: () => undefined,
  })
  return { watch, clock, lines }
}

test('the gateway is unknown before the first poll, then as it answered', async () => {
  const answers: (() => Promise<GatewayInstance[]>)[] = [
    () => Promise.resolve([]),
    () => Promise.reject(new GatewayError('unreachable', 'Sem resposta.')),
    () => Promise.reject(new GatewayError('unreachable', 'Sem resposta.')),
    () => Promise.resolve([]),
  ]
  const { watch, lines } = stage(() => answers.shift()?.() ?? Promise.resolve([]))
  const seen = [watch.health()]
  while (answers.length > 0) {
    await watch.poll()
    seen.push(watch.health())
  }
  expect(seen).toEqual(['unknown', 'ok', 'unreachable', 'unreachable', 'ok'])
  expect(lines.filter((line) => line.includes('gateway.lost'))).toHaveLength(1)
})

test('it polls twice a minute, one poll at a time, and stopping waits for it', async () => {
  const polls: ((found: GatewayInstance[]) => void)[] = []
  const { watch, clock } = stage(() => new Promise((resolve) => polls.push(resolve)))
  const stop = watch.start()
  await turns()
  clock.advance(30_000)
  clock.advance(30_000)
  expect(polls).toHaveLength(1)
  polls[0]?.([])
  await turns()
  clock.advance(30_000)
  await turns()
  expect(polls).toHaveLength(2)

  let isStopped = false
  const stopped = stop().then(() => (isStopped = true))
  await turns()
  expect(isStopped).toBe(false)
  polls[1]?.([])
  await stopped
  clock.advance(60_000)
  expect(polls).toHaveLength(2)
})

test('an instance that moved counts at once for the gateway that has it now', async () => {
  const away = () => Promise.reject(new GatewayError('unreachable', 'Sem resposta.'))
  const lists = new Map([
    ['old', away],
    ['new', () => Promise.resolve([])],
  ])
  const of = (kind: string) => ({ listInstances: lists.get(kind) }) as unknown as Gateway
  const choice = { kinds: [...lists.keys()], of, kindOf: () => Promise.resolve('old') }
  const rows = { old: [{ instanceName: 'ana', changeNumber: 1 }], new: [] }
  const db = {
    query: (_: string, [kind]: ['old' | 'new'] = ['new']) =>
      Promise.resolve({ rows: rows[kind], rowCount: 1 }),
  } as unknown as Database
  const log = createLog('error', () => undefined)
  const watches = createWatches({
    db,
    clock: manualClock(),
    log,
    gateway: { choice } as unknown as Gateway,
    onOpened: () => undefined,
  })
  await watches.poll()
  expect([watches.isAway('ana'), watches.isAway()]).toEqual([true, false])
  watches.moved('ana', 'new')
  expect(watches.isAway('ana')).toBe(false)
  watches.moved('ana', 'old')
  expect(watches.isAway('ana')).toBe(true)
})
