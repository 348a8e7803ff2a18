// Orphaned instances at the gateway are disconnected and deleted a second later, whatever it answers.
import { expect, test } from 'vitest'
import { createOrphanedInstances } from '#server/whatsapp/connection/orphaned-instances.ts'
import type { Database } from '#server/db/database.ts'
import { createEvolutionGateway } from '#server/whatsapp/gateway/evolution/client.ts'
import { GatewayError } from '#server/gateway.ts'
import { manualClock } from '#tests/support/clock.ts'
import { silentLog, turns } from '#tests/support/gateway.ts'

const NAME = 'corretor_ana'

function open(refused: { logout?: boolean; delete?: boolean } = {}) {
  const clock = manualClock()
  const calls: string[] = []
  const rows = new Set([NAME])
  const call = (name: 'logout' | 'delete') => {
    calls.push(name)
    return refused[name] ? Promise.reject(new GatewayError('failed', 'Erro')) : Promise.resolve()
  }
  const query: Database['query'] = (sql) => {
    // Every lock is granted.
    if (sql.includes('name_turns')) return Promise.resolve({ rows: [], rowCount: 1 })
    if (sql.startsWith('delete')) rows.clear()
    return Promise.resolve({ rows: rows.size > 0 ? [{ instanceName: NAME }] : [], rowCount: 0 } as never)
  }
  const gateway = createEvolutionGateway({ baseUrl: 'http://nobody.test', apiKey: '', clock, log: silentLog })
  const orphanedInstances = createOrphanedInstances({
    db: { query } as Database,
    clock,
    log: silentLog,
    gateway: { ...gateway, logout: () => call('logout'), deleteInstance: () => call('delete') },
  })
  return { clock, calls, rows, orphanedInstances }
}

test('it is disconnected first and deleted one second later', async () => {
  const { clock, calls, rows, orphanedInstances } = open()
  const work = orphanedInstances.begin(NAME)
  await turns()
  clock.advance(999)
  await turns()
  expect(calls).toEqual(['logout'])
  clock.advance(1)
  await work
  expect([calls, rows.size]).toEqual([['logout', 'delete'], 0])
})

test('a failed disconnection does not stop it; a failed deletion is retried', async () => {
  const { clock, calls, rows, orphanedInstances } = open({ logout: true, delete: true })
  const stop = orphanedInstances.start()
  await turns()
  clock.advance(1_000)
  await turns()
  expect([calls, rows.size]).toEqual([['logout', 'delete'], 1])
  clock.advance(60_000)
  await turns()
  expect(calls).toEqual(['logout', 'delete', 'logout'])
  await stop()
  expect(calls, 'a portal that stops waits for nothing').toEqual(['logout', 'delete', 'logout'])
})

test('work on one name runs in sequence', async () => {
  const { clock, calls, orphanedInstances } = open()
  const removing = orphanedInstances.begin(NAME)
  const making = orphanedInstances.inTurn(NAME, () => Promise.resolve(calls.push('make')))
  await turns()
  clock.advance(1_000)
  await Promise.all([removing, making])
  expect(calls).toEqual(['logout', 'delete', 'make'])
})
