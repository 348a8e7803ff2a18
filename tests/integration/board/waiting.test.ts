// When a lead began to wait for us: the column equals a direct computation from the history, in any order of arrival.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeMessage } from '#tests/support/make.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const base = await openBase()
const broker = await makeBroker(base.db)

const START = 1_770_724_800

/** An event, each in its own second after START. */
type Happened = { at: number } & (
  | { kind: 'wrote' }
  | { kind: 'arrived' }
  | { kind: 'answered'; delivery: 'sent' | 'failed'; author: 'human' | 'agent' | 'campaign' }
  /** A next action, or that no answer is needed. */
  | { kind: 'quieted'; outcome: 'done' | 'removed' | 'not_needed' | null }
  | { kind: 'moved'; to: 'new' | 'conversa' | 'fechado' | 'arquivado' }
)

/** When the lead was moved to its closing stage; none in an open stage. */
function closings(history: readonly Happened[]): number[] {
  let stage = 'new'
  const moves: { to: string; at: number }[] = []
  for (const one of history) {
    if (one.kind !== 'moved' || one.to === stage) continue
    stage = one.to
    moves.push(one)
  }
  return ['fechado', 'arquivado'].includes(stage)
    ? moves.filter(({ to }) => to === stage).map(({ at }) => at)
    : []
}

/** Computes it from the history alone, in order of arrival. */
function plain(history: readonly Happened[]): number | null {
  const endsWait = (one: Happened) =>
    (one.kind === 'answered' && one.delivery !== 'failed') ||
    (one.kind === 'quieted' && one.outcome !== 'removed')
  const ended = Math.max(-1, ...closings(history), ...history.filter(endsWait).map(({ at }) => at))
  const waits = history.filter(({ kind, at }) => (kind === 'wrote' || kind === 'arrived') && at > ended)
  return waits.length === 0 ? null : START + Math.min(...waits.map(({ at }) => at))
}

async function happen(contactId: number, one: Happened) {
  const timestamp = START + one.at
  switch (one.kind) {
    case 'wrote':
      return makeMessage(base.db, contactId, { timestamp })
    case 'answered':
      return makeMessage(base.db, contactId, {
        timestamp,
        type: 'outgoing',
        delivery: one.delivery,
        author: one.author,
      })
    case 'arrived':
      return base.db.query(
        `insert into portal.lead_intakes (contact_id, source, received_at) values ($1, 'form', to_timestamp($2))`,
        [contactId, timestamp],
      )
    case 'quieted':
      return base.db.query(
        `insert into portal.actions (contact_id, kind, due_at, seen_at, finished_at, outcome)
        values ($1, 'call', now(), to_timestamp($2), case when $3::text is not null then now() end, $3)`,
        [contactId, timestamp, one.outcome],
      )
    case 'moved':
      return base.db.query(
        `update whatsapp_contacts set status = $2
        where id = $1 and set_config('portal.moved_at', to_timestamp($3)::text, true) is not null`,
        [contactId, one.to, timestamp],
      )
  }
}

const waitingSince = async (contactId: number) =>
  (
    await base.db.query<{ since: number | null }>(
      `select extract(epoch from waiting_since)::float8 as since from whatsapp_contacts where id = $1`,
      [contactId],
    )
  ).rows[0]?.since

const anything = fc.oneof(
  fc.constant({ kind: 'wrote' } as const),
  fc.constant({ kind: 'wrote' } as const),
  fc.constant({ kind: 'arrived' } as const),
  fc.record({
    kind: fc.constant('answered' as const),
    delivery: fc.constantFrom('sent' as const, 'failed' as const),
    author: fc.constantFrom('human' as const, 'agent' as const, 'campaign' as const),
  }),
  fc.record({
    kind: fc.constant('quieted' as const),
    outcome: fc.constantFrom(null, 'done' as const, 'removed' as const, 'not_needed' as const),
  }),
  fc.record({
    kind: fc.constant('moved' as const),
    to: fc.constantFrom('new' as const, 'conversa' as const, 'fechado' as const, 'arquivado' as const),
  }),
)

test('equals the direct computation for random histories, in any order of arrival', async () => {
  const histories = fc.array(anything, { minLength: 1, maxLength: 8 }).chain((kinds) =>
    fc
      .shuffledSubarray(
        kinds.map((kind, at) => ({ ...kind, at: at * 60 })),
        { minLength: kinds.length, maxLength: kinds.length },
      )
      .map((history): readonly Happened[] => history),
  )
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const { id } = await makeContact(base.db, broker.instanceName)
      for (const one of history) await happen(id, one)
      expect(await waitingSince(id)).toBe(plain(history))
    }),
    { numRuns: byTier(25, 200) },
  )
})

test('an answer that fails later does not count', async () => {
  const { id } = await makeContact(base.db, broker.instanceName)
  await makeMessage(base.db, id, { timestamp: START })
  const { id: answer } = await makeMessage(base.db, id, { timestamp: START + 60, type: 'outgoing' })
  expect(await waitingSince(id)).toBeNull()
  await base.db.query(`update whatsapp_messages set delivery = 'failed' where id = $1`, [answer])
  expect(await waitingSince(id)).toBe(START)
})

test('a lead added by hand or imported does not wait', async () => {
  const { id } = await makeContact(base.db, broker.instanceName, { source: 'indicacao' })
  expect(await waitingSince(id)).toBeNull()
})

test('an archived lead does not wait until it writes again, and waits as before once it is back', async () => {
  const { id } = await makeContact(base.db, broker.instanceName)
  await happen(id, { kind: 'wrote', at: 0 })
  await happen(id, { kind: 'moved', to: 'arquivado', at: 60 })
  expect(await waitingSince(id)).toBeNull()
  await happen(id, { kind: 'moved', to: 'conversa', at: 90 })
  expect(await waitingSince(id)).toBe(START)
  await happen(id, { kind: 'moved', to: 'arquivado', at: 120 })
  await happen(id, { kind: 'wrote', at: 180 })
  expect(await waitingSince(id)).toBe(START + 180)
})

test('the leads of a stage that is closed, or reopened, wait accordingly', async () => {
  const { rows } = await base.db.query<{ slug: string }>(
    `insert into kanban_stages (name, slug, order_index) values ('Sem perfil', 'sem_perfil', 9) returning slug`,
  )
  const { id } = await makeContact(base.db, broker.instanceName)
  await happen(id, { kind: 'wrote', at: 0 })
  await base.db.query(`update whatsapp_contacts set status = $1 where id = $2`, [rows[0]?.slug ?? '', id])
  expect(await waitingSince(id)).toBe(START)
  await base.db.query(`update kanban_stages set kind = 'lost' where slug = 'sem_perfil'`)
  expect(await waitingSince(id)).toBeNull()
  await base.db.query(`update kanban_stages set kind = 'open' where slug = 'sem_perfil'`)
  expect(await waitingSince(id)).toBe(START)
})
