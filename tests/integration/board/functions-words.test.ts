// save_lead_notes, rename_lead: every answer, repeats, another device's text, ownership, and how long answers are
// stored.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { onPostgres } from '#tests/support/database.ts'
import { makeContact, untilLockAwaited } from '#tests/support/make.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, asAna, asBia, asAdmin } = await openStaff()

type Answer = { success: boolean; code: string; message: string | null; current: string | null }

const WAYS = [
  {
    name: 'save_lead_notes',
    words: 'p_notes',
    saw: 'p_base_notes',
    column: 'notes',
    longest: 10_000,
    changed: 'A nota mudou em outro aparelho.',
  },
  {
    name: 'rename_lead',
    words: 'p_name',
    saw: 'p_base_name',
    column: 'name',
    longest: 200,
    changed: 'O nome mudou em outro aparelho.',
  },
] as const
type Way = (typeof WAYS)[number]

async function write(claims: Claims, way: Way, given: Record<string, SqlValue>): Promise<Answer> {
  const names = Object.keys(given)
  const { rows } = await asUser(base.db, claims, (query) =>
    query<{ answer: Answer }>(
      `select public.${way.name}(${names.map((name, n) => `${name} => $${n + 1}`).join(', ')}) as answer`,
      Object.values(given),
    ),
  )
  return rows[0]!.answer
}

const standing = async ({ column }: Way, id: number) =>
  (await base.db.query(`select ${column} as words from public.whatsapp_contacts where id = $1`, [id]))
    .rows[0]?.['words']

describe.each(WAYS)('$name', (way) => {
  const lead = (words: string | null = 'Antes') =>
    makeContact(base.db, ana.instanceName, { [way.column]: words })
  const saved = (current: string | null) => ({ success: true, code: 'saved', message: null, current })

  test('writes over the seen text, trimmed; an empty text clears', async () => {
    const { id } = await lead()
    expect(
      await write(asAna, way, { p_contact_id: id, [way.words]: ' Depois ', [way.saw]: 'Antes' }),
    ).toEqual(saved('Depois'))
    expect(await standing(way, id)).toBe('Depois')
    expect(await write(asAna, way, { p_contact_id: id, [way.words]: ' ', [way.saw]: 'Depois' })).toEqual(
      saved(null),
    )
    expect(await standing(way, id)).toBeNull()
    expect(await write(asAna, way, { p_contact_id: id, [way.words]: 'De novo', [way.saw]: '' })).toEqual(
      saved('De novo'),
    )
  })

  test('never over another device’s text; both are returned', async () => {
    const { id } = await lead('Do outro')
    const given = { p_contact_id: id, [way.words]: 'Minha', [way.saw]: 'Antes' }
    expect(await write(asAna, way, given)).toEqual({
      success: false,
      code: 'conflict',
      message: way.changed,
      current: 'Do outro',
    })
    expect(await standing(way, id)).toBe('Do outro')
  })

  test('an equal text is no conflict; without a base it is overwritten', async () => {
    const { id } = await lead('Igual')
    expect(
      await write(asAna, way, { p_contact_id: id, [way.words]: 'Igual', [way.saw]: 'Antes' }),
    ).toMatchObject({ code: 'already' })
    expect(await write(asAna, way, { p_contact_id: id, [way.words]: 'Outra' })).toEqual(saved('Outra'))
  })

  test('a repeat gets the stored answer and changes nothing, for this account only', async () => {
    const { id } = await lead()
    const given = { p_contact_id: id, [way.words]: 'Minha', [way.saw]: 'Antes', p_operation_id: randomUUID() }
    expect(await write(asAna, way, given)).toEqual(saved('Minha'))
    await base.db.query(`update public.whatsapp_contacts set ${way.column} = 'Depois dela' where id = $1`, [
      id,
    ])
    expect(await write(asAna, way, given)).toEqual(saved('Minha'))
    expect(await standing(way, id)).toBe('Depois dela')
    expect(await write(asBia, way, given)).toMatchObject({ code: 'unknown_lead', current: null })
  })

  test('another broker’s lead is unknown; an administrator writes all', async () => {
    const { id } = await lead()
    expect(await write(asBia, way, { p_contact_id: id, [way.words]: 'Alheia' })).toMatchObject({
      success: false,
      code: 'unknown_lead',
      current: null,
    })
    expect(
      await write(asBia, way, { p_contact_id: id, p_broker_name: ana.instanceName, [way.words]: 'Alheia' }),
    ).toMatchObject({ code: 'unknown_lead' })
    expect(await standing(way, id)).toBe('Antes')
    expect(await write(asAdmin, way, { p_contact_id: id, [way.words]: 'Da casa' })).toEqual(saved('Da casa'))
  })

  test('a lead whose id was merged is found by its number', async () => {
    const { id, number } = await lead()
    const given = {
      p_contact_id: 999_999_999,
      p_number_lead: number,
      p_broker_name: ana.username,
      [way.words]: 'Achada',
    }
    expect(await write(asAna, way, given)).toEqual(saved('Achada'))
    expect(await standing(way, id)).toBe('Achada')
  })

  test('too long is refused in Portuguese and changes nothing', async () => {
    const { id } = await lead()
    await expect(
      write(asAna, way, { p_contact_id: id, [way.words]: 'x'.repeat(way.longest + 1) }),
    ).rejects.toMatchObject({
      code: 'PT422',
      message: expect.stringContaining('pode ter até') as string,
    })
    expect(await standing(way, id)).toBe('Antes')
  })

  test('without a session it asks to sign in', async () => {
    const { id } = await lead()
    await expect(
      write({ ...asAna, session_id: randomUUID() }, way, { p_contact_id: id, [way.words]: 'x' }),
    ).rejects.toMatchObject({ code: 'PT401' })
  })

  // A single connection cannot wait for itself.
  onPostgres.test('a repeat that comes while the first is under way waits for its answer', async () => {
    const { id } = await lead()
    const given = {
      p_contact_id: id,
      [way.words]: 'Uma vez',
      [way.saw]: 'Antes',
      p_operation_id: randomUUID(),
    }
    const first = base.db.transaction(async (query) => {
      await query('select portal.begin_operation($1, $2)', [ana.id, given.p_operation_id])
      const repeat = write(asAna, way, given)
      await untilLockAwaited(base.db)
      await query(`update public.whatsapp_contacts set ${way.column} = 'Uma vez' where id = $1`, [id])
      await query(`select portal.end_operation($1, $2, 'test', $3)`, [
        ana.id,
        given.p_operation_id,
        JSON.stringify(saved('Uma vez')),
      ])
      return { repeat }
    })
    expect(await (await first).repeat).toEqual(saved('Uma vez'))
  })
})

test('answers are deleted after 90 days, not before', async () => {
  const { id } = await makeContact(base.db, ana.instanceName, { notes: null })
  const [old, young] = [randomUUID(), randomUUID()]
  for (const operation of [old, young])
    await write(asAna, WAYS[0], { p_contact_id: id, p_notes: operation, p_operation_id: operation })
  await base.db.query(
    `update portal.applied_operations set applied_at = now() - interval '91 days' where operation_id = $1`,
    [old],
  )
  expect((await base.db.query('select portal.forget_old_operations() as gone')).rows).toEqual([{ gone: 1 }])
  const { rows } = await base.db.query(
    'select operation_id from portal.applied_operations where operation_id = any ($1::uuid[])',
    [`{${old},${young}}`],
  )
  expect(rows).toEqual([{ operation_id: young }])
})
