// Value and losses compared with a direct count over random leads, with the dashboard's filters; and the lists behind
// each figure.
import { expect, test } from 'vitest'
import { onBehalf } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, signInAdmin } from '#tests/support/make.ts'

type Part = { leads: number; cents: number }
type Answer = {
  open: (Part & { stage: string })[]
  won: Part
  lost: (Part & { reason: string })[]
}
type Made = {
  id: number
  broker: string
  development: string
  cents: number | null
  course: string[]
  reason: string | null
  dayOfEnd: number
}

const DAY = (day: number) => `2026-11-${String(day).padStart(2, '0')}`
const REASONS = ['no_means', 'no_answer', null]

const leads: Made[] = []

/** A fixed seed. */
let seed = 7
const draw = (most: number) => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * most)
}
const one = <T>(choices: readonly T[]): T => choices[draw(choices.length)]!

const base = await openBase()
const asAdmin = await signInAdmin(base.db)
const brokers = [await makeBroker(base.db), await makeBroker(base.db)]
await base.db.exec(
  `update public.kanban_stages set kind = 'open';
   update public.kanban_stages set kind = 'won' where slug = 'ganho';
   insert into public.kanban_stages (name, slug, order_index, kind) values
     ('Ganho de teste', 'ganho_t', 90, 'won'), ('Perdido de teste', 'perdido_t', 91, 'lost')`,
)
for (let count = 0; count < 120; count++) {
  const course = one([
    ['new'],
    ['new', 'negociacao'],
    ['new', 'ganho_t'],
    ['new', 'perdido_t'],
    ['new', 'perdido_t', 'new', 'perdido_t'],
    ['new', 'perdido_t', 'new'],
    ['new', 'ganho_t', 'perdido_t'],
  ])
  const cents = one([null, 0, 35_000_000, 99_999_999])
  const broker = one(brokers).instanceName
  const development = one(['Mirante', 'Vista'])
  const { id } = await makeContact(base.db, broker, {
    empreendimento: development,
    value_cents: cents,
    status: 'new',
  })
  const dayOfEnd = 1 + draw(28)
  for (const status of course.slice(1))
    await base.db.query('update public.whatsapp_contacts set status = $2 where id = $1', [id, status])
  const reason = course.at(-1) === 'perdido_t' ? one(REASONS) : null
  if (reason)
    await base.db.query('update public.whatsapp_contacts set loss_reason = $2 where id = $1', [id, reason])
  // Each ended at noon of its day, and earlier wins date from then.
  await base.db.query(`update portal.stage_history set changed_at = $2 where contact_id = $1`, [
    id,
    `${DAY(dayOfEnd)}T15:00:00Z`,
  ])
  await base.db.query(
    'update public.whatsapp_contacts set won_at = $2 where id = $1 and won_at is not null',
    [id, `${DAY(dayOfEnd)}T15:00:00Z`],
  )
  leads.push({ id, broker, development, cents, course, reason, dayOfEnd })
}

const ask = async <T>(sql: string, values: readonly SqlValue[] = []): Promise<T> =>
  (await onBehalf(base.db, asAdmin, (query) => query<{ answer: T }>(`select ${sql} as answer`, values)))
    .rows[0]!.answer

const sumOf = (those: readonly Made[]): Part => ({
  leads: those.length,
  cents: those.reduce((total, { cents }) => total + (cents ?? 0), 0),
})

const FILTERS: { name: string; brokers: number[]; developments: string[]; from: number; to: number }[] = [
  { name: 'everything', brokers: [], developments: [], from: 1, to: 30 },
  { name: 'one broker', brokers: [0], developments: [], from: 1, to: 30 },
  { name: 'one development', brokers: [], developments: ['Vista'], from: 1, to: 30 },
  { name: 'half a month of both', brokers: [1], developments: ['Mirante'], from: 5, to: 17 },
]

test.each(FILTERS)('$name: equals the direct count', async ({ brokers: which, developments, from, to }) => {
  const names = which.map((place) => brokers[place]!.instanceName)
  const values = [names, developments, `${DAY(from)}T00:00:00Z`, `${DAY(to)}T23:59:59Z`]
  const answer = await ask<Answer>('public.get_value_and_losses($1, $2, $3, $4)', values)
  const those = leads.filter(
    (lead) =>
      (names.length === 0 || names.includes(lead.broker)) &&
      (developments.length === 0 || developments.includes(lead.development)),
  )
  const inPeriod = those.filter(({ dayOfEnd }) => dayOfEnd >= from && dayOfEnd <= to)

  for (const stage of ['new', 'negociacao']) {
    const there = those.filter(({ course, cents }) => course.at(-1) === stage && cents !== null)
    expect(answer.open.find((part) => part.stage === stage)).toEqual({ stage, ...sumOf(there) })
  }
  expect(answer.open.every(({ stage }) => stage === 'new' || stage === 'negociacao')).toBe(true)
  expect(answer.won).toEqual(sumOf(inPeriod.filter(({ course }) => course.includes('ganho_t'))))
  const lost = inPeriod.filter(({ course }) => course.at(-1) === 'perdido_t')
  for (const reason of REASONS) {
    const there = lost.filter((lead) => lead.reason === reason)
    expect(answer.lost.find((part) => part.reason === (reason ?? 'none')) ?? { leads: 0 }).toMatchObject({
      leads: there.length,
    })
  }
  expect(answer.lost.reduce((total, part) => total + part.cents, 0)).toBe(sumOf(lost).cents)

  // Each figure opens its list: as many as it says, each once.
  const listed = async (figure: string, value: string | null) => {
    const ids: number[] = []
    let cursor: { created_at: string; id: number } | undefined
    for (;;) {
      const { rows } = await onBehalf(base.db, asAdmin, (query) =>
        query<{ id: number; created_at: string }>(
          `select id, to_json(created_at) #>> '{}' as created_at from public.get_leads_of_value($5, $6, $1, $2, $3, $4, $7, $8)`,
          [...values, figure, value, cursor?.created_at ?? null, cursor?.id ?? null],
        ),
      )
      ids.push(...rows.map(({ id }) => id))
      cursor = rows.at(-1)
      if (rows.length < 20) break
    }
    expect(new Set(ids).size).toBe(ids.length)
    expect(
      await ask<number>('public.count_leads_of_value($5, $6, $1, $2, $3, $4)', [...values, figure, value]),
    ).toBe(ids.length)
    return ids.length
  }
  for (const { stage, leads: count } of answer.open) expect(await listed('open-value', stage)).toBe(count)
  const totalOf = (parts: readonly Part[]) => parts.reduce((total, { leads: count }) => total + count, 0)
  expect(await listed('open-value', null)).toBe(totalOf(answer.open))
  expect(await listed('lost', null)).toBe(totalOf(answer.lost))
  expect(await listed('won-value', null)).toBe(answer.won.leads)
  for (const { reason, leads: count } of answer.lost) expect(await listed('lost', reason)).toBe(count)
})

test('an unknown figure is refused', async () => {
  await expect(ask(`public.count_leads_of_value('tudo')`)).rejects.toMatchObject({ code: '22023' })
})
