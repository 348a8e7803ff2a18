// The look at every link beside what the gateway tells by itself at the same moment: the newer word stands.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLinkStore } from '#server/brokers/link-store.ts'
import { createWatch } from '#server/brokers/watch.ts'
import type { Gateway, LinkState } from '#server/ports.ts'
import { manualClock } from '#tests/support/clock.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { makeBroker } from '#tests/support/make.ts'

let base: TestDatabase
beforeAll(async () => {
  base = await openTestDatabase('migrated')
})
afterAll(() => base.close())

const tells = (instanceName: string, state: LinkState) =>
  base.db.query(
    `insert into portal.instance_states ("instanceName", state, changed_at) values ($1, $2, clock_timestamp())
     on conflict ("instanceName") do update set state = excluded.state, changed_at = excluded.changed_at`,
    [instanceName, state],
  )
const stateOf = async (instanceName: string) => (await createLinkStore(base.db).find(instanceName))?.state

/** A look whose answer was made before `meanwhile`. */
const look = (
  instanceName: string,
  state: LinkState,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
) =>
  createWatch({
    db: base.db,
    clock: manualClock(),
    log: silentLog,
    gateway: {
      listInstances: async () => {
        await meanwhile()
        const unknown = {
          instanceId: null,
          ownerJid: null,
          number: null,
          profileName: null,
          profilePicUrl: null,
        }
        return [{ ...unknown, instanceName, state }]
      },
    } as unknown as Gateway,
    onOpened: () => undefined,
  }).look()

/** All that is known becomes of one instant, as within one tick of a coarse clock. */
const atOneInstant = () =>
  base.db.query(`update portal.instance_states set changed_at = '2026-01-01T12:00:00Z'`)

test.each([
  ['connecting', 'open'],
  ['open', 'close'],
] as const)('what was %s when it was asked stays what it became meanwhile, %s', async (asked, told) => {
  const { instanceName } = await makeBroker(base.db)
  await tells(instanceName, asked)
  await atOneInstant()
  await look(instanceName, asked, async () => {
    await tells(instanceName, told)
    await atOneInstant()
  })
  expect(await stateOf(instanceName)).toBe(told)
})

test('what was never told of when it was asked stays what it became meanwhile', async () => {
  const { instanceName } = await makeBroker(base.db)
  await look(instanceName, 'close', () => tells(instanceName, 'open'))
  expect(await stateOf(instanceName)).toBe('open')
})

test('the same told again meanwhile is newer than the answer', async () => {
  const { instanceName } = await makeBroker(base.db)
  await tells(instanceName, 'open')
  await look(instanceName, 'connecting', () => tells(instanceName, 'open'))
  expect(await stateOf(instanceName)).toBe('open')
})

test('what was told before is as it is found, also where the clock was set back since', async () => {
  const { instanceName } = await makeBroker(base.db)
  await tells(instanceName, 'open')
  await look(instanceName, 'close')
  expect(await stateOf(instanceName)).toBe('close')
  await base.db.query(`update portal.instance_states set changed_at = now() + interval '1 day'`)
  await look(instanceName, 'connecting')
  expect(await stateOf(instanceName)).toBe('connecting')
})
