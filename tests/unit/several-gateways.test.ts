// Several gateways as one: each call reaches the gateway that has the instance, and one that is down hides no other.
import { expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { GatewayError, type Gateway } from '#server/gateway.ts'
import { createEvolutionGateway } from '#server/whatsapp/gateway/evolution/client.ts'
import { createSeveralGateways } from '#server/whatsapp/gateway/several.ts'
import { silentLog } from '#tests/support/gateway.ts'

const PLACES: Record<string, string> = { ana: 'one', bia: 'two', old: 'gone' }

function open({ newKind = 'one', away = '' } = {}) {
  const calls: string[] = []
  const made = createEvolutionGateway({
    baseUrl: 'http://nobody.test',
    apiKey: '',
    clock: systemClock,
    log: silentLog,
  })
  const instanceOf = (instanceName: string) => ({
    instanceId: instanceName,
    instanceName,
    state: 'open' as const,
    ownerJid: null,
    number: null,
    profileName: null,
    profilePicUrl: null,
  })
  const gatewayNamed = (kind: string): Gateway => ({
    ...made,
    version: () => Promise.resolve(kind),
    // Both gateways still have the instance that has moved.
    listInstances: () =>
      kind === away
        ? Promise.reject(new GatewayError('unreachable', 'Erro'))
        : Promise.resolve(['ana', 'bia', 'new'].map(instanceOf)),
    linkState: (name) => {
      calls.push(`${kind} ${name}`)
      return Promise.resolve('open')
    },
    findMessages: () => Promise.resolve({ records: [], hasMore: false }),
  })
  const query: Database['query'] = (_, [names] = []) => {
    const rows = (names as string[]).flatMap((instanceName) => {
      const gateway = PLACES[instanceName]
      return gateway ? [{ instanceName, gateway }] : []
    })
    return Promise.resolve({ rows, rowCount: rows.length } as never)
  }
  const gateway = createSeveralGateways({
    db: { query } as Database,
    open: new Map(['one', 'two'].map((kind) => [kind, gatewayNamed(kind)])),
    newKind,
  })
  return { gateway, calls }
}

test.each([
  ['ana', 'one', 'one'],
  ['bia', 'one', 'two'],
  ['an instance that is not made yet', 'two', 'two'],
  // The gateway of this instance is not open, so the instance can be linked again on another one.
  ['old', 'two', 'two'],
])('%s, while new ones go to %s: %s', async (name, newKind, expected) => {
  const { gateway, calls } = open({ newKind })
  await gateway.linkState(name)
  expect(calls).toEqual([`${expected} ${name}`])
  expect(await gateway.choice?.kindOf(name)).toBe(expected)
  expect(await gateway.findMessages(name, { page: 1, pageSize: 1 })).toMatchObject({ kind: expected })
})

test('an instance is listed by its own gateway only', async () => {
  const names = async (gateway: Gateway) =>
    (await gateway.listInstances()).map(({ instanceName }) => instanceName).toSorted()
  expect(await names(open().gateway)).toEqual(['ana', 'bia', 'new'])
  expect(await names(open({ away: 'one' }).gateway)).toEqual(['bia', 'new'])
  expect(await names(open({ away: 'two' }).gateway)).toEqual(['ana', 'new'])
})
