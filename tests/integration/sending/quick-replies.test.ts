// Quick replies: a broker's own, administrators' shared ones, unique titles, repeatable saves and sorting.
import { expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import { SqlError } from '#server/db/database.ts'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeQuickReply, signIn, signInAdmin } from '#tests/support/make.ts'

const ID = '00000000-0000-4000-8000-0000000000'

const base = await openBase()
const broker = await makeBroker(base.db)
const anaId = broker.id
const ana = await signIn(base.db, broker)
const bia = await signIn(base.db, await makeBroker(base.db))
const admin = await signInAdmin(base.db)
await base.db.query('delete from public.quick_replies')

const titles = (claims: Claims) =>
  asUser(base.db, claims, async (query) =>
    (
      await query<{ title: string }>(
        'select title from public.quick_replies order by broker_id nulls first, order_index',
      )
    ).rows.map((row) => row.title),
  )

type Saved = { success: boolean; message: string | null }

const save = (claims: Claims, id: string, title: string, body = 'Oi, {nome}!') =>
  asUser(base.db, claims, async (query) => {
    const { rows } = await query<{ saved: Saved }>('select public.save_quick_reply($1, $2, $3) as saved', [
      `${ID}${id}`,
      title,
      body,
    ])
    return rows[0]?.saved
  })

const order = (claims: Claims, ids: string[]) =>
  asUser(base.db, claims, async (query) => {
    const { rows } = await query<{ placed: number }>('select public.order_quick_replies($1) as placed', [
      ids.map((id) => `${ID}${id}`),
    ])
    return rows[0]?.placed
  })

test('a broker sees the own and the shared, an administrator only the shared', async () => {
  expect(await save(admin, '01', 'Agendar visita')).toEqual({ success: true, message: null })
  await save(ana, '02', 'Meu endereço')
  await save(bia, '03', 'Documentos')
  expect(await titles(ana)).toEqual(['Agendar visita', 'Meu endereço'])
  expect(await titles(bia)).toEqual(['Agendar visita', 'Documentos'])
  expect(await titles(admin)).toEqual(['Agendar visita'])
})

test('a repeated save doubles nothing; a changed one keeps its position', async () => {
  await save(ana, '04', 'Financiamento')
  await save(ana, '02', 'Meu endereço')
  await save(ana, '02', '  Endereço do estande ', 'Fica na Rua A, 10.')
  expect(await titles(ana)).toEqual(['Agendar visita', 'Endereço do estande', 'Financiamento'])
})

test('a title is unique among the own ones, ignoring case, and may repeat a shared or another’s', async () => {
  expect(await save(ana, '05', 'FINANCIAMENTO')).toEqual({
    success: false,
    message: 'Já existe uma resposta com este título.',
  })
  expect(await save(ana, '06', 'Agendar visita')).toMatchObject({ success: true })
  expect(await save(admin, '07', 'agendar VISITA')).toMatchObject({ success: false })
})

test.each([
  ['no title', '   ', 'texto'],
  ['a long title', 'x'.repeat(61), 'texto'],
  ['no text', 'Título', ' \n '],
  ['a long text', 'Título', 'x'.repeat(4001)],
])('%s is refused in Portuguese', async (_, title, body) => {
  expect(await save(ana, '08', title, body)).toEqual({
    success: false,
    message: 'Escreva um título de até 60 letras e um texto de até 4.000.',
  })
})

test('the order is the given one, for replies that the caller may write', async () => {
  expect(await order(ana, ['06', '04', '02'])).toBe(3)
  expect(await titles(ana)).toEqual([
    'Agendar visita',
    'Agendar visita',
    'Financiamento',
    'Endereço do estande',
  ])
  expect(await order(bia, ['06', '04', '03', '01'])).toBe(1)
  expect(await titles(ana)).toHaveLength(4)
})

test('only an administrator changes shared ones, and nobody another’s', async () => {
  const refused = (error: unknown) => error instanceof SqlError && error.code === '42501'
  await expect(save(ana, '01', 'Meu agora')).rejects.toSatisfy(refused)
  await expect(save(bia, '02', 'Meu agora')).rejects.toSatisfy(refused)
  await expect(
    asUser(base.db, ana, (query) =>
      query(`insert into public.quick_replies (title, body) values ('De todos', 'texto')`),
    ),
  ).rejects.toSatisfy(refused)
  const remove = (claims: Claims, id: string) =>
    asUser(base.db, claims, async (query) => {
      const { rows } = await query<{ gone: boolean }>('select public.remove_quick_reply($1) as gone', [
        `${ID}${id}`,
      ])
      return rows[0]?.gone
    })
  expect(await remove(ana, '01')).toBe(false)
  expect(await remove(bia, '02')).toBe(false)
  expect(await remove(ana, '02')).toBe(true)
  expect(await remove(ana, '02')).toBe(false)
  expect(await remove(admin, '01')).toBe(true)
})

test("a removed broker's own ones are deleted", async () => {
  const { id } = await makeQuickReply(base.db, anaId)
  await base.db.query('delete from public.brokers where id = $1', [anaId])
  const { rowCount } = await base.db.query('select from public.quick_replies where id = $1', [id])
  expect(rowCount).toBe(0)
})
