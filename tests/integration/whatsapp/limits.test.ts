// What WhatsApp lets a number do: stored from either report, shown until it ends, and a stop for campaigns only.
import { beforeEach, expect, test } from 'vitest'
import { createBrokerStore } from '#server/brokers/broker-store.ts'
import { createLinkStore } from '#server/whatsapp/connection/connection-store.ts'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, signInAdmin } from '#tests/support/make.ts'

const base = await openBase()
const NOW = Date.UTC(2026, 10, 30, 12)
const HOUR_MS = 3_600_000

let name = ''
beforeEach(async () => {
  name = (await makeBroker(base.db)).instanceName
})

const report = (more: object, atMs = NOW) =>
  base.db.query('select portal.apply_event($1, $2::jsonb)', [
    name,
    JSON.stringify({
      event: 'limits',
      atMs,
      isRestricted: false,
      restrictedUntilSeconds: null,
      quota: null,
      ...more,
    }),
  ])
const limitAt = async (atMs: number) =>
  (
    await base.db.query<{ word: { until: string | null; isQuota: boolean; hasNoEnd: boolean } | null }>(
      'select portal.limit_of($1, to_timestamp($2::numeric / 1000)) as word',
      [name, String(atMs)],
    )
  ).rows[0]?.word ?? null
const untilMs = (word: { until: string | null } | null) => Date.parse(word?.until ?? '')

test('a restriction holds until its end, and ends with a report that lifts it', async () => {
  await report({ isRestricted: true, restrictedUntilSeconds: (NOW + HOUR_MS) / 1000 })
  const word = await limitAt(NOW)
  expect(word).toMatchObject({ isQuota: false, hasNoEnd: false })
  expect(untilMs(word)).toBe(NOW + HOUR_MS)
  expect(await limitAt(NOW + HOUR_MS)).toBeNull()
  await report({}, NOW + 1_000)
  expect(await limitAt(NOW + 2_000)).toBeNull()
  // A late report of before.
  await report({ isRestricted: true, restrictedUntilSeconds: (NOW + HOUR_MS) / 1000 })
  expect(await limitAt(NOW + 2_000)).toBeNull()
})

test('a used-up quota counts until the end of its period; a warning does not', async () => {
  const quota = { isUsedUp: false, total: 50, used: 40, endsAtSeconds: (NOW + HOUR_MS) / 1000 }
  await report({ quota })
  expect(await limitAt(NOW)).toBeNull()
  await report({ quota: { ...quota, isUsedUp: true, used: 50 } }, NOW + 1)
  expect(await limitAt(NOW)).toMatchObject({ isQuota: true, hasNoEnd: false })
  expect(await limitAt(NOW + HOUR_MS)).toBeNull()
})

test('code 463 names no end, and counts a day', async () => {
  await base.db.query('select portal.note_restriction($1)', [name])
  const nowMs = Date.now()
  expect(await limitAt(nowMs)).toMatchObject({ isQuota: false, hasNoEnd: true })
  expect(await limitAt(nowMs + 25 * HOUR_MS)).toBeNull()
})

test('a limit stops campaigns, and nothing holds the queue of answers', async () => {
  const wordsAt = async (atMs: number) =>
    (
      await base.db.query<{ sign: string | null; trouble: string | null }>(
        `select portal.sign_of_restriction(null::public.remarketing_campaigns, $1, to_timestamp($2::numeric / 1000)) as sign,
          portal.link_trouble($1) as trouble`,
        [name, String(atMs)],
      )
    ).rows[0]
  expect(await wordsAt(NOW)).toEqual({ sign: null, trouble: null })
  await report({ isRestricted: true, restrictedUntilSeconds: (NOW + HOUR_MS) / 1000 })
  expect(await wordsAt(NOW)).toEqual({ sign: 'restricted', trouble: null })
  expect(await wordsAt(NOW + HOUR_MS)).toEqual({ sign: null, trouble: null })
})

test('a broker reads its own limit and an administrator that of all', async () => {
  await report(
    { isRestricted: true, restrictedUntilSeconds: Math.floor(Date.now() / 1000) + 3_600 },
    Date.now(),
  )
  const found = await createLinkStore(base.db).find(name)
  expect(found?.limit).toMatchObject({ isQuota: false, hasNoEnd: false, until: expect.any(String) })
  const claims = await signInAdmin(base.db)
  const listed = await createBrokerStore(base.db).list(claims)
  expect(listed.find(({ instanceName }) => instanceName === name)).toMatchObject({ limit: found?.limit })
})
