// atualizar_status_lead: every answer, the old call, repeats, conflicts, and ownership.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { inTurn } from '#tests/support/balancer.ts'
import { databasesOf, onPostgres } from '#tests/support/database.ts'
import { makeContact, makeStage, signIn, untilLockAwaited } from '#tests/support/make.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, bia, chief, asAna, asBia, asAdmin } = await openStaff()
const adminName = chief.username
const nextPortal = inTurn(databasesOf(base.db))

type Answer = {
  success: boolean
  message: string
  stage_name: string | null
  code: string
  current_status: string | null
  changed_by: string | null
  changed_at: string | null
}

/**
 * Calls with named arguments, like the REST layer; on alternating portals, because an account's share of one is small.
 */
async function move(claims: Claims, given: Record<string, SqlValue>): Promise<Answer> {
  const names = Object.keys(given)
  const { rows } = await asUser(nextPortal(), claims, (query) =>
    query<{ answer: Answer }>(
      `select public.atualizar_status_lead(${names.map((name, n) => `${name} => $${n + 1}`).join(', ')}) as answer`,
      Object.values(given),
    ),
  )
  if (!rows[0]) throw new Error('no answer')
  return rows[0].answer
}

const statusOf = async (id: number) =>
  (await base.db.query('select status from public.whatsapp_contacts where id = $1', [id])).rows[0]?.['status']

const movesOf = async (id: number) =>
  (
    await base.db.query(
      `select to_status, changed_by, operation_id, moved_at::text from portal.stage_history
       where contact_id = $1 and from_status is not null order by id`,
      [id],
    )
  ).rows

describe("the API's call with its three parameters", () => {
  test.each([
    ['the instance name', () => ana.instanceName],
    ['the username', () => ana.username],
    ['the name as it is shown', () => ` ${ana.username.toUpperCase()} `],
  ])('moves by number and %s', async (_, brokerName) => {
    const lead = await makeContact(base.db, ana.instanceName)
    const answer = await move(asAna, {
      p_number_lead: lead.number,
      p_broker_name: brokerName(),
      p_novo_status: 'conversa',
    })
    expect(answer).toEqual({
      success: true,
      message: 'Lead movido para "Conversa".',
      stage_name: 'Conversa',
      code: 'moved',
      current_status: 'conversa',
      changed_by: ana.username,
      changed_at: expect.any(String) as string,
    })
    expect(await statusOf(lead.id)).toBe('conversa')
  })

  test.each([
    '(11) 98888-7701',
    '+55 11 98888-7701',
    '551188887701',
    '5511988887701@s.whatsapp.net',
    '1188887701',
  ])('finds the lead by %s', async (written) => {
    const { rows } = await base.db.query<{ id: number }>(
      `select id from public.whatsapp_contacts where number = '5511988887701'`,
    )
    const id = rows[0]?.id ?? (await makeContact(base.db, ana.instanceName, { number: '5511988887701' })).id
    await base.db.query(`update public.whatsapp_contacts set status = 'new' where id = $1`, [id])
    const answer = await move(asAna, {
      p_number_lead: written,
      p_broker_name: ana.instanceName,
      p_novo_status: 'fechado',
    })
    expect(answer.code).toBe('moved')
    expect(await statusOf(id)).toBe('fechado')
  })

  test('finds a lead with a hidden number by its id in WhatsApp', async () => {
    const lead = await makeContact(base.db, ana.instanceName, { number: null })
    await base.db.query(
      `insert into portal.identities (jid, "instanceName", person_id) values ('4455@lid', $1, $2)`,
      [ana.instanceName, lead.person_id],
    )
    const given = { p_number_lead: '4455@lid', p_broker_name: ana.instanceName, p_novo_status: 'conversa' }
    expect((await move(asAna, given)).code).toBe('moved')
    expect((await move(asBia, { ...given, p_broker_name: bia.instanceName })).code).toBe('unknown_lead')
  })
})

test('the id alone identifies a lead; an administrator needs no broker for it', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  expect((await move(asAna, { p_contact_id: lead.id, p_novo_status: 'conversa' })).code).toBe('moved')
  const answer = await move(asAdmin, { p_contact_id: lead.id, p_novo_status: 'negociacao' })
  expect(answer).toMatchObject({ code: 'moved', changed_by: adminName })
  const left = await makeContact(base.db, null)
  expect((await move(asAdmin, { p_contact_id: left.id, p_novo_status: 'conversa' })).code).toBe('moved')
})

test('after a merge the number finds the lead when the id does not', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  const answer = await move(asAna, {
    p_contact_id: lead.id + 100_000,
    p_number_lead: lead.number,
    p_novo_status: 'conversa',
  })
  expect(answer.code).toBe('moved')
  expect(await statusOf(lead.id)).toBe('conversa')
})

/** The administrator moves a lead to a stage; then Ana, who saw the lead in another one, moves it to 'conversa'. */
async function moveAfterAdmin(slug: string, { seen }: { seen: string }) {
  const lead = await makeContact(base.db, ana.instanceName)
  await move(asAdmin, { p_contact_id: lead.id, p_novo_status: slug })
  const answer = await move(asAna, {
    p_contact_id: lead.id,
    p_novo_status: 'conversa',
    p_expected_status: seen,
  })
  return { lead, answer }
}

test('a move to the current stage succeeds and writes no history', async () => {
  const { lead, answer } = await moveAfterAdmin('conversa', { seen: 'negociacao' })
  expect(answer).toMatchObject({
    success: true,
    code: 'already',
    message: 'O lead já está em "Conversa".',
    changed_by: adminName,
  })
  expect(await movesOf(lead.id)).toHaveLength(1)
})

test('an outdated base is a conflict that names the mover and changes nothing', async () => {
  const { lead, answer } = await moveAfterAdmin('negociacao', { seen: 'new' })
  expect(answer).toMatchObject({
    success: false,
    code: 'conflict',
    message: `O lead já foi movido para "Negociação" por ${adminName}.`,
    stage_name: 'Negociação',
    current_status: 'negociacao',
    changed_by: adminName,
  })
  expect(await statusOf(lead.id)).toBe('negociacao')
})

test('only the stage is compared: a changed name is no conflict', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  await base.db.query(`update public.whatsapp_contacts set name = 'Outro nome' where id = $1`, [lead.id])
  expect(
    (await move(asAna, { p_contact_id: lead.id, p_novo_status: 'conversa', p_expected_status: 'new' })).code,
  ).toBe('moved')
})

test.each([['inexistente'], [''], [null]])(
  "the stage %j is unknown, and the answer contains the lead's stage",
  async (slug) => {
    const lead = await makeContact(base.db, ana.instanceName)
    expect(await move(asAna, { p_contact_id: lead.id, p_novo_status: slug })).toMatchObject({
      success: false,
      code: 'unknown_stage',
      message: 'Este estágio não existe mais.',
      current_status: 'new',
      stage_name: 'Novos Contatos',
    })
  },
)

test("another broker's lead answers exactly as a missing one", async () => {
  const lead = await makeContact(base.db, bia.instanceName)
  const unknown = {
    success: false,
    message: 'Lead não encontrado.',
    stage_name: null,
    code: 'unknown_lead',
    current_status: null,
    changed_by: null,
    changed_at: null,
  }
  for (const given of [
    { p_contact_id: lead.id },
    { p_contact_id: lead.id, p_broker_name: bia.instanceName },
    { p_number_lead: lead.number, p_broker_name: bia.instanceName },
    { p_number_lead: lead.number, p_broker_name: bia.username },
    { p_number_lead: lead.number, p_broker_name: ana.instanceName },
    { p_number_lead: lead.number },
    { p_contact_id: 999_999_999 },
    { p_number_lead: 'ninguém' },
    {},
  ])
    expect(await move(asAna, { ...given, p_novo_status: 'conversa' })).toEqual(unknown)
  expect(await statusOf(lead.id)).toBe('new')
})

test("another's id with an own number moves only the own lead", async () => {
  const mine = await makeContact(base.db, ana.instanceName)
  const theirs = await makeContact(base.db, bia.instanceName)
  await move(asAna, { p_contact_id: theirs.id, p_number_lead: mine.number, p_novo_status: 'conversa' })
  expect([await statusOf(mine.id), await statusOf(theirs.id)]).toEqual(['conversa', 'new'])
})

test("naming another broker's board moves nothing, not even the own lead with that number", async () => {
  const mine = await makeContact(base.db, ana.instanceName)
  for (const given of [{ p_number_lead: mine.number }, { p_contact_id: mine.id }])
    expect(
      (await move(asAna, { ...given, p_broker_name: bia.instanceName, p_novo_status: 'conversa' })).code,
    ).toBe('unknown_lead')
  expect(await statusOf(mine.id)).toBe('new')
})

test('an administrator needs the broker with a number, because one person may be a lead of two', async () => {
  const first = await makeContact(base.db, ana.instanceName, { number: '5511955556666' })
  const second = await makeContact(base.db, bia.instanceName, { number: '551155556666' })
  expect((await move(asAdmin, { p_number_lead: '5511955556666', p_novo_status: 'conversa' })).code).toBe(
    'unknown_lead',
  )
  await move(asAdmin, {
    p_number_lead: '5511955556666',
    p_broker_name: bia.username,
    p_novo_status: 'conversa',
  })
  expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['new', 'new'])
  const third = await makeContact(base.db, bia.instanceName, { number: '5511955556666' })
  await move(asAdmin, {
    p_number_lead: '11 95555-6666',
    p_broker_name: bia.username,
    p_novo_status: 'conversa',
  })
  expect([await statusOf(first.id), await statusOf(third.id)]).toEqual(['new', 'conversa'])
})

describe('operation ids', () => {
  test('a repeat gets the stored answer, whatever happened since and whatever it asks for', async () => {
    const lead = await makeContact(base.db, ana.instanceName)
    const given = { p_contact_id: lead.id, p_novo_status: 'conversa', p_operation_id: randomUUID() }
    const first = await move(asAna, given)
    await move(asAdmin, { p_contact_id: lead.id, p_novo_status: 'arquivado' })
    expect(await move(asAna, given)).toEqual(first)
    expect(await move(asAna, { ...given, p_novo_status: 'fechado' })).toEqual(first)
    expect(await statusOf(lead.id)).toBe('arquivado')
  })

  test('refusals are stored, too', async () => {
    const lead = await makeContact(base.db, ana.instanceName)
    const given = { p_contact_id: lead.id, p_novo_status: 'mais_tarde', p_operation_id: randomUUID() }
    const first = await move(asAna, given)
    await makeStage(base.db, { slug: 'mais_tarde' })
    expect(first.code).toBe('unknown_stage')
    expect(await move(asAna, given)).toEqual(first)
  })

  test('the same id from another account is another operation', async () => {
    const lead = await makeContact(base.db, ana.instanceName)
    const operation = randomUUID()
    await move(asAna, { p_contact_id: lead.id, p_novo_status: 'conversa', p_operation_id: operation })
    const answer = await move(asAdmin, {
      p_contact_id: lead.id,
      p_novo_status: 'fechado',
      p_operation_id: operation,
    })
    expect(answer).toMatchObject({ code: 'moved', current_status: 'fechado' })
  })

  test('an undo is the inverse move with its own id', async () => {
    const lead = await makeContact(base.db, ana.instanceName)
    await move(asAna, { p_contact_id: lead.id, p_novo_status: 'conversa', p_operation_id: randomUUID() })
    const undo = await move(asAna, {
      p_contact_id: lead.id,
      p_novo_status: 'new',
      p_expected_status: 'conversa',
      p_operation_id: randomUUID(),
    })
    expect(undo.code).toBe('moved')
    expect(await statusOf(lead.id)).toBe('new')
  })

  test("the board's notification contains the operation, for the device that sent it", async () => {
    const lead = await makeContact(base.db, ana.instanceName, { status: 'new' })
    const heard: string[] = []
    const stop = await base.db.listen(
      'portal',
      (payload) => heard.push(payload),
      () => undefined,
    )
    const operationId = randomUUID()
    await move(asAna, { p_contact_id: lead.id, p_novo_status: 'conversa', p_operation_id: operationId })
    await expect
      .poll(() => heard.map((payload) => JSON.parse(payload) as unknown))
      .toContainEqual({ kind: 'board', instanceName: ana.instanceName, operationId })
    await stop()
  })

  test("the history has the operation and the device's time, for its author only", async () => {
    const lead = await makeContact(base.db, ana.instanceName)
    const operation = randomUUID()
    await asUser(base.db, asAdmin, async (query) => {
      await query(
        `select public.atualizar_status_lead(p_contact_id => $1, p_novo_status => 'conversa', p_operation_id => $2,
           p_moved_at => '2026-01-02T03:04:05Z')`,
        [lead.id, operation],
      )
      await query(`update public.whatsapp_contacts set status = 'arquivado' where id = $1`, [lead.id])
    })
    await move(asAna, { p_contact_id: lead.id, p_novo_status: 'new', p_moved_at: '2999-01-01T00:00:00Z' })
    expect(await movesOf(lead.id)).toEqual([
      {
        to_status: 'conversa',
        changed_by: adminName,
        operation_id: operation,
        moved_at: '2026-01-02 03:04:05+00',
      },
      { to_status: 'arquivado', changed_by: adminName, operation_id: null, moved_at: null },
      { to_status: 'new', changed_by: ana.username, operation_id: null, moved_at: null },
    ])
  })

  test('sent many times at once it is applied once, and all get one answer', async () => {
    const lead = await makeContact(base.db, ana.instanceName)
    const given = { p_contact_id: lead.id, p_novo_status: 'conversa', p_operation_id: randomUUID() }
    const answers = await Promise.all(Array.from({ length: 8 }, () => move(asAna, given)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.code).toBe('moved')
    expect(await movesOf(lead.id)).toHaveLength(1)
  })

  onPostgres.test('a repeat that overtakes the first waits for its answer', async () => {
    const lead = await makeContact(base.db, ana.instanceName)
    const given = { p_contact_id: lead.id, p_novo_status: 'conversa', p_operation_id: randomUUID() }
    let moving: Promise<Answer>[] = []
    await base.db.transaction(async (query) => {
      await query('select from public.whatsapp_contacts where id = $1 for update', [lead.id])
      moving = [move(asAna, given), move(asAna, given), move(asAna, given)]
      await untilLockAwaited(base.db, 3)
    })
    const [first, ...others] = await Promise.all(moving)
    expect(first?.code).toBe('moved')
    expect(others).toEqual([first, first])
    expect(await movesOf(lead.id)).toHaveLength(1)
  })
})

test('of many moves from one base exactly one succeeds', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  const targets = ['conversa', 'negociacao', 'fechado', 'arquivado']
  const answers = await Promise.all(
    targets.map((slug) =>
      move(asAna, { p_contact_id: lead.id, p_novo_status: slug, p_expected_status: 'new' }),
    ),
  )
  expect(answers.map((answer) => answer.code).toSorted()).toEqual([
    'conflict',
    'conflict',
    'conflict',
    'moved',
  ])
  const winner = answers.find((answer) => answer.code === 'moved')
  expect(answers.every((answer) => answer.current_status === winner?.current_status)).toBe(true)
})

onPostgres.test('a move into a stage that is being removed waits, then finds it gone', async () => {
  const stage = await makeStage(base.db)
  const lead = await makeContact(base.db, ana.instanceName)
  let moving: Promise<Answer> | undefined
  await base.db.transaction(async (query) => {
    await query('delete from public.kanban_stages where id = $1', [stage.id])
    moving = move(asAna, { p_contact_id: lead.id, p_novo_status: stage.slug })
    await untilLockAwaited(base.db)
  })
  expect((await moving)?.code).toBe('unknown_stage')
  expect(await statusOf(lead.id)).toBe('new')
})

onPostgres.test('a lead that is being handed over is moved no more by its old broker', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  let moving: Promise<Answer> | undefined
  await base.db.transaction(async (query) => {
    await query('update public.whatsapp_contacts set "instanceName" = $1 where id = $2', [
      bia.instanceName,
      lead.id,
    ])
    moving = move(asAna, { p_contact_id: lead.id, p_novo_status: 'conversa' })
    await untilLockAwaited(base.db)
  })
  expect(await moving).toMatchObject({ code: 'unknown_lead', current_status: null, changed_by: null })
  expect(await statusOf(lead.id)).toBe('new')
})

test('without a valid session it asks to sign in', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  const ended = await signIn(base.db, ana)
  await base.db.query('delete from portal.sessions where id = $1', [String(ended['session_id'])])
  for (const claims of [ended, { role: 'authenticated', sub: ana.id } as const])
    await expect(move(claims, { p_contact_id: lead.id, p_novo_status: 'conversa' })).rejects.toMatchObject({
      code: 'PT401',
      message: 'Sua sessão terminou. Entre de novo.',
    })
  await expect(
    move({ role: 'anon' }, { p_contact_id: lead.id, p_novo_status: 'conversa' }),
  ).rejects.toMatchObject({ code: '42501' })
})
