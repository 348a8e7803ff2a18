// lead_fields and lead_sheet: each field separately, repeats, two devices, ownership, merges, and the ordered history.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import { makeContact, makeMessage } from '#tests/support/make.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, bia, asAna, asBia, asAdmin } = await openStaff()

type Answer = { success: boolean; code: string; message: string | null; current: string | null }
type Sheet = {
  tags: string[]
  value: number | null
  email: string | null
  development: string | null
  lossReason: string | null
  lostAt: string | null
  knownTags: string[]
  files: { name: string | null }[]
  path: { kind: string; word: string | null; by: string | null }[]
}

async function write(
  claims: Claims,
  contactId: number,
  fields: object,
  base_: object = {},
  id = randomUUID(),
) {
  const { rows } = await asUser(base.db, claims, (query) =>
    query<{ answer: Answer }>('select lead_fields($1, $2, $3, $4) as answer', [
      contactId,
      JSON.stringify(fields),
      JSON.stringify(base_),
      id,
    ]),
  )
  return rows[0]!.answer
}

async function sheetOf(contactId: number, claims = asAna) {
  const { rows } = await asUser(base.db, claims, (query) =>
    query<{ sheet: Sheet }>('select lead_sheet($1) as sheet', [contactId]),
  )
  return rows[0]!.sheet
}

test('fields are written separately, cleared by null, and once despite repeats', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const operation = randomUUID()
  const fields = { email: ' Rogerio@Exemplo.com ', value: 64_000_000, development: ' Mirante do Lago ' }
  const first = await write(asAna, id, fields, {}, operation)
  expect(first).toEqual({ success: true, code: 'saved', message: null, current: null })
  expect(await sheetOf(id)).toMatchObject({
    email: 'rogerio@exemplo.com',
    value: 64_000_000,
    development: 'Mirante do Lago',
  })
  await write(asAna, id, { email: '', value: null })
  expect(await write(asAna, id, fields, {}, operation)).toEqual(first)
  expect(await sheetOf(id)).toMatchObject({ email: null, value: null, development: 'Mirante do Lago' })
})

test("another's change meanwhile stays, and the other fields are written all the same", async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  await write(asAdmin, id, { value: 50_000_000 })
  const answer = await write(asAna, id, { value: 1, campaign: 'Plantão' }, { value: null, campaign: null })
  expect(answer).toMatchObject({ success: false, code: 'conflict', current: '50000000' })
  const { rows } = await base.db.query<{ campaign: string; value_cents: string }>(
    'select campaign, value_cents from whatsapp_contacts where id = $1',
    [id],
  )
  expect(rows[0]).toMatchObject({ campaign: 'Plantão' })
  expect(Number(rows[0]!.value_cents)).toBe(50_000_000)
})

test('tags of two devices are combined', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  await write(asAna, id, { tags: ['3 quartos', 'Varanda'] }, { tags: [] })
  await write(asAna, id, { tags: ['3 quartos', 'Varanda', 'FGTS'] }, { tags: ['3 quartos', 'Varanda'] })
  await write(asAna, id, { tags: ['Varanda', 'Carta'] }, { tags: ['3 quartos', 'Varanda'] })
  const sheet = await sheetOf(id)
  expect(sheet.tags).toEqual(['Varanda', 'FGTS', 'Carta'])
  expect(sheet.knownTags).toEqual(expect.arrayContaining(['Varanda', 'FGTS', 'Carta']))
})

test.each([
  [{}, 'Diga o que muda.'],
  [{ status: 'new' }, 'Este campo não muda por aqui.'],
  [{ email: 'rogerio' }, 'Este e-mail não parece certo.'],
  [{ value: -1 }, 'Este valor não é aceito.'],
  [{ value: 1e12 }, 'Este valor não é aceito.'],
  [{ development: 7 }, 'Este valor não é aceito.'],
  [{ campaign: 'x'.repeat(201) }, 'O texto pode ter até 200 letras.'],
  [{ tags: ['x'.repeat(25)] }, 'São até 12 etiquetas de até 24 letras.'],
  [{ tags: 'Varanda' }, 'São até 12 etiquetas de até 24 letras.'],
  [{ loss_reason: 'chato' }, 'Escolha um motivo da lista.'],
])('%o is refused with a message', async (fields, words) => {
  const { id } = await makeContact(base.db, ana.instanceName)
  await expect(write(asAna, id, fields)).rejects.toMatchObject({ code: 'PT422', message: words })
})

test('another broker writes and reads nothing', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  expect(await write(asBia, id, { value: 1 })).toMatchObject({ code: 'unknown_lead' })
  await expect(sheetOf(id, asBia)).rejects.toMatchObject({ code: 'PT404' })
  expect((await sheetOf(id)).value).toBeNull()
})

test('the reason of a loss is deleted when the lead returns', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  await base.db.query("update whatsapp_contacts set status = 'arquivado' where id = $1", [id])
  await write(asAna, id, { loss_reason: 'bought_elsewhere' })
  expect(await sheetOf(id)).toMatchObject({ lossReason: 'bought_elsewhere', lostAt: expect.any(String) })
  await base.db.query("update whatsapp_contacts set status = 'conversa' where id = $1", [id])
  expect(await sheetOf(id)).toMatchObject({ lossReason: null, lostAt: null })
})

test('the history has the steps, newest first, and files beside it', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const nowSeconds = Math.floor(Date.now() / 1000)
  await makeMessage(base.db, id, { timestamp: nowSeconds + 300 })
  await makeMessage(base.db, id, { timestamp: nowSeconds + 400, type: 'outgoing', kind: 'document' })
  await base.db.query("update whatsapp_contacts set status = 'conversa' where id = $1", [id])
  const { path, files } = await sheetOf(id)
  expect(path.map(({ kind }) => kind)).toEqual(['answered', 'wrote', 'moved', 'arrived'])
  expect(path[2]).toMatchObject({ word: 'Conversa' })
  expect(files).toHaveLength(1)
})

test('the path names who answered, also after a hand-over; a broker reads no other name', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const nowSeconds = Math.floor(Date.now() / 1000)
  await makeMessage(base.db, id, { timestamp: nowSeconds - 60 })
  await makeMessage(base.db, id, { timestamp: nowSeconds - 30, type: 'outgoing' })
  const answerer = async (claims: Claims) =>
    (await sheetOf(id, claims)).path.find(({ kind }) => kind === 'answered')?.by
  expect(await answerer(asAna)).toBe(ana.instanceName)
  await base.db.query('update whatsapp_contacts set "instanceName" = $2 where id = $1', [
    id,
    bia.instanceName,
  ])
  expect([await answerer(asBia), await answerer(asAdmin)]).toEqual([null, ana.instanceName])
})

test('a merge combines tags, value and reason, and its undo separates them', async () => {
  const remaining = await makeContact(base.db, ana.instanceName)
  const gone = await makeContact(base.db, ana.instanceName)
  await write(asAna, remaining.id, { tags: ['Varanda'] })
  await write(asAna, gone.id, { tags: ['FGTS'], value: 42 })
  const { rows } = await base.db.query<{ merge: number }>('select portal.merge_contacts($1, $2) as merge', [
    remaining.id,
    gone.id,
  ])
  expect(await sheetOf(remaining.id)).toMatchObject({ tags: ['FGTS', 'Varanda'], value: 42 })
  await base.db.query('select portal.undo_merge($1)', [rows[0]!.merge])
  expect(await sheetOf(remaining.id)).toMatchObject({ tags: ['Varanda'], value: null })
  expect(await sheetOf(gone.id)).toMatchObject({ tags: ['FGTS'], value: 42 })
})
