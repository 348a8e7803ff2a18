// Every function for every caller, by tests/support/schema/function-rules.ts. The functions come from the catalogue, so
// a new one without an entry fails; only listed roles may run each.
import { describe, expect, test } from 'vitest'
import { SqlError } from '#server/db/database.ts'
import { openBase } from '#tests/support/database.ts'
import {
  FUNCTION_RULES,
  OPEN_PORTAL_FUNCTIONS,
  type FunctionRule,
  type Outcome,
} from '#tests/support/schema/function-rules.ts'
import { tryAs } from '#tests/support/make.ts'
import { ASKERS, makeScenario, type Asker } from '#tests/support/schema/rules-scenario.ts'

const base = await openBase()
const scenario = await makeScenario(base.db)

/** No permission; no valid session; not the caller's lead. */
const REFUSALS = ['42501', 'PT401', 'PT404']

async function outcomeOf(asker: Asker, rule: FunctionRule): Promise<Outcome> {
  const lookAt = async (side: 'own' | 'other') => {
    const call = rule.call(scenario[side], scenario)
    const from = call.startsWith('(') ? call : `public.${call}`
    try {
      const text = await tryAs(
        base.db,
        scenario.claims[asker],
        async (query) =>
          (
            await query<{ text: string | null }>(
              `select jsonb_agg(to_jsonb(answer))::text as text from ${from} answer`,
            )
          ).rows[0]?.text,
      )
      return rule.answers(text ?? '', scenario[side]) ? 'found' : 'nothing'
    } catch (error) {
      if (error instanceof SqlError && REFUSALS.includes(error.code)) return 'refused'
      throw error
    }
  }
  const own = await lookAt('own')
  const other = await lookAt('other')
  if (own === 'found' && other === 'found') return 'all'
  if (own === 'found') return 'own'
  expect(other, `${asker} gets at the other broker's rows but not the own ones`).not.toBe('found')
  return own === 'refused' && other === 'refused' ? 'refused' : 'none'
}

function expected(rule: FunctionRule, asker: Asker): Outcome {
  if (asker === 'anon') return 'refused'
  if (asker === 'service') return rule.service ?? 'all'
  if (asker === 'leader') return rule.leader ?? rule.gerente
  return asker === 'broker' || asker === 'admin' || asker === 'gerente' ? rule[asker] : rule.lost
}

test('every function of public has an entry, and only one overload', async () => {
  const { rows } = await base.db.query<{ proname: string }>(
    `select proname from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
  )
  expect(rows.map((row) => row.proname)).toEqual(Object.keys(FUNCTION_RULES).toSorted())
})

describe.each(Object.entries(FUNCTION_RULES))('%s', (_, rule) => {
  test.each(ASKERS.filter((asker) => asker !== 'rival'))('asked by %s', async (asker) => {
    expect(await outcomeOf(asker, rule)).toBe(expected(rule, asker))
  })

  test('asked by the gerente of another team, who gets nothing of these brokers', async () => {
    const allowed = rule.gerente === 'own' ? (['none', 'refused'] as const) : [rule.gerente]
    expect(allowed).toContain(await outcomeOf('rival', rule))
  })
})

test('only the listed roles run a function, never public or anon', async () => {
  const { rows } = await base.db.query<{ name: string; roles: string[] }>(
    `select n.nspname || '.' || p.proname as name,
       array(select r from unnest(array['public', 'anon', 'authenticated', 'service_role']) r
         where case when r = 'public'
           then exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0 and a.privilege_type = 'EXECUTE')
           else has_function_privilege(r, p.oid, 'execute') end) as roles
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('public', 'portal')`,
  )
  const open = rows.filter((row) => row.roles.length > 0)
  for (const row of open) expect([row.name, row.roles]).toEqual([row.name, ['authenticated', 'service_role']])
  const wanted = [
    ...Object.keys(FUNCTION_RULES).map((name) => `public.${name}`),
    ...OPEN_PORTAL_FUNCTIONS.map((name) => `portal.${name}`),
  ]
  expect(open.map((row) => row.name).toSorted()).toEqual(wanted.toSorted())
})

test('the functions of schema portal that a broker may run reveal nothing about others', async () => {
  const answers = await tryAs(
    base.db,
    scenario.claims.broker,
    async (query) =>
      (
        await query<{ text: string }>(
          `select jsonb_build_array(portal.account_id(), portal.is_admin(), portal.is_member(),
           portal.my_instance(), portal.dashboard(null, null, null, null),
           (select jsonb_agg(l) from portal.leads_of(null, null, '-infinity', 'infinity') l))::text as text`,
        )
      ).rows[0]?.text,
  )
  expect(answers).toContain(scenario.own.username)
  expect(answers).not.toContain(scenario.other.username)
})
