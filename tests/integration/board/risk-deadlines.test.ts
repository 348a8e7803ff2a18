// Deadlines of waiting leads are computed once: after any change of leads and rules the warnings equal those of a
// direct query.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeMessage } from '#tests/support/make.ts'
import { PLAIN_WARN_RISKS } from '#tests/support/plain-risks.ts'
import { byTier } from '#tests/support/runner/tier.ts'

/** A Friday, 16h in São Paulo, shortly before the weekend. */
const START = Date.parse('2026-11-20T19:00:00Z')
const MINUTE = 60_000
const iso = (ms: number) => new Date(ms).toISOString()

const base = await openBase()
const ana = await makeBroker(base.db)
await base.db.exec(PLAIN_WARN_RISKS)

type Warned = { contact_id: number; level: number }
const warned = async (query = base.db.query) =>
  (await query<Warned>('select contact_id::integer, level::integer from portal.risk_warnings order by 1, 2'))
    .rows

/** Runs the job like the portal: again while there is more. */
async function sweep(nowMs: number): Promise<number> {
  let told = 0
  for (let runs = 0; runs === 0 || (await hasMore(nowMs)); runs++) {
    expect(runs).toBeLessThan(1_000)
    told += (await base.db.query<{ told: number }>('select portal.warn_risks($1) as told', [iso(nowMs)]))
      .rows[0]!.told
  }
  return told
}
const hasMore = async (nowMs: number) =>
  (await base.db.query<{ is: boolean }>('select portal.has_risks($1) as is', [iso(nowMs)])).rows[0]!.is

const plainly = (nowMs: number) =>
  base.db.transaction(
    async (query) => {
      const { rows } = await query<{ told: number }>('select portal.plain_warn_risks($1) as told', [
        iso(nowMs),
      ])
      return { told: rows[0]!.told, warned: await warned(query) }
    },
    { rollback: true },
  )

const SHIFTS = [
  null,
  [{ days: [1, 2, 3, 4, 5, 6, 7], from: 480, to: 1080 }],
  [{ days: [5, 6], from: 1320, to: 120 }],
]
const index = fc.nat({ max: 5 })
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('arrives' as const), agoMinutes: fc.nat({ max: 600 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('passes' as const),
      minutes: fc.constantFrom(1, 7, 20, 90, 700, 1_500),
    }),
  },
  fc.record({
    kind: fc.constantFrom('answered' as const, 'agent' as const, 'leaves' as const, 'comes' as const),
    lead: index,
  }),
  fc.record({ kind: fc.constant('stage' as const), lead: index, isOpen: fc.boolean() }),
  fc.record({ kind: fc.constant('rotation' as const), lead: index, rotation: fc.nat({ max: 1 }) }),
  fc.record({
    kind: fc.constant('target' as const),
    rotation: fc.nat({ max: 2 }),
    minutes: fc.constantFrom(1, 5, 60, 600),
  }),
  fc.record({
    kind: fc.constant('shifts' as const),
    rotation: fc.nat({ max: 1 }),
    shifts: fc.nat({ max: 2 }),
  }),
  fc.record({ kind: fc.constant('kind' as const), isOpen: fc.boolean() }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function take(one: Step, leads: number[], rotations: number[], nowMs: number): Promise<void> {
  const { query } = base.db
  const lead = 'lead' in one ? leads[one.lead % Math.max(1, leads.length)] : undefined
  if ('lead' in one && lead === undefined) return
  switch (one.kind) {
    case 'arrives': {
      const { id } = await makeContact(base.db, ana.instanceName)
      await makeMessage(base.db, id, { timestamp: Math.floor(nowMs / 1000) - one.agoMinutes * 60 })
      return void leads.push(id)
    }
    case 'answered':
    case 'agent':
      return void (await makeMessage(base.db, lead!, {
        timestamp: Math.floor(nowMs / 1000),
        type: 'outgoing',
        ...(one.kind === 'agent' && { author: 'agent' }),
      }))
    case 'leaves':
    case 'comes':
      return void (await query(
        `update portal.people set opted_out_at = case when $2 then now() end
         where id = (select person_id from public.whatsapp_contacts where id = $1)`,
        [lead!, one.kind === 'leaves'],
      ))
    case 'stage':
      return void (await query('update public.whatsapp_contacts set status = $2 where id = $1', [
        lead!,
        one.isOpen ? 'new' : 'arquivado',
      ]))
    case 'rotation':
      return void (await query(
        `insert into portal.roleta_cases (contact_id, roleta_id, arrived_at, since, state) values ($1, $2, $3, $3, 'done')`,
        [lead!, rotations[one.rotation]!, iso(nowMs)],
      ))
    case 'target':
      return void (one.rotation < 2
        ? await query('update public.roletas set target_minutes = $2 where id = $1', [
            rotations[one.rotation]!,
            one.minutes,
          ])
        : await query(
            `insert into portal.settings (key, value) values ('answer_target_seconds', to_jsonb($1::integer * 60))
             on conflict (key) do update set value = excluded.value`,
            [one.minutes],
          ))
    case 'shifts':
      return void (await query(
        `update public.roleta_corretores set shifts = nullif($2::jsonb, 'null')
         where "roletaName" = (select empreendimento from public.roletas where id = $1)`,
        [rotations[one.rotation]!, JSON.stringify(SHIFTS[one.shifts])],
      ))
    case 'kind':
      return void (await query(`update public.kanban_stages set kind = $1 where slug = 'arquivado'`, [
        one.isOpen ? 'open' : 'lost',
      ]))
    case 'passes':
  }
}

test('after any change the same leads are reported as by a query of all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await base.db.exec(
        `delete from public.whatsapp_contacts; delete from public.roletas; delete from portal.push_queue;
         delete from portal.settings where key = 'answer_target_seconds';
         update public.kanban_stages set kind = 'lost' where slug = 'arquivado'`,
      )
      const { rows } = await base.db.query<{ id: number }>(
        `with made as (insert into public.roletas (empreendimento) values ('Ipê'), ('Jatobá') returning id, empreendimento),
           seats as (insert into public.roleta_corretores ("roletaName", "instanceName", ordem)
             select m.empreendimento, $1, 1 from made m)
         select id from made order by id`,
        [ana.instanceName],
      )
      const leads: number[] = []
      let nowMs = START
      for (const one of steps) {
        await take(
          one,
          leads,
          rows.map(({ id }) => id),
          nowMs,
        )
        if (one.kind === 'passes') nowMs += one.minutes * MINUTE
        const plain = await plainly(nowMs)
        expect(await sweep(nowMs)).toBe(plain.told)
        expect(await warned()).toEqual(plain.warned)
      }
    }),
    { numRuns: byTier(8, 25) },
  )
}, 120_000)

test('a changed target of the agency is applied in batches', async () => {
  await base.db.exec(
    `delete from public.whatsapp_contacts; delete from public.roletas;
     delete from portal.settings where key = 'answer_target_seconds'`,
  )
  await sweep(START)
  await base.db.query(
    `insert into public.whatsapp_contacts ("instanceName", number, name, left_contact_at)
     select $1, '5511' || (960000000 + n), 'Lead ' || n, $2 from generate_series(1, 250) n`,
    [ana.instanceName, iso(START)],
  )
  await sweep(START)
  const due = async () =>
    (
      await base.db.query<{ at: string; count: number }>(
        `select (extract(epoch from due_at - received_at) / 60)::integer as at, count(*)::integer as count
         from portal.answer_deadlines where is_current group by 1 order by 1`,
      )
    ).rows
  expect(await due()).toEqual([{ at: 15, count: 250 }])
  await base.db.query(
    `insert into portal.settings (key, value) values ('answer_target_seconds', '1800')
     on conflict (key) do update set value = excluded.value`,
  )
  await base.db.query('select portal.warn_risks($1)', [iso(START)])
  expect(await due()).toEqual([
    { at: 15, count: 150 },
    { at: 30, count: 50 },
  ])
  await sweep(START)
  expect(await due()).toEqual([{ at: 30, count: 250 }])
})
