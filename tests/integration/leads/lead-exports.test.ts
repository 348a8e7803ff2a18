// Exports of leads as a file: with the filters of dashboard and CRM, audited, protected from formulas.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { onBehalf } from '#server/db/as-user.ts'
import { makeContact, signIn } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const office = await openOffice({ isStill: true })
const { db, ana, bia, chief, asAna, asAdmin } = office
afterAll(office.close)
beforeEach(() => db.exec('delete from public.whatsapp_contacts; delete from portal.throttle'))

const ask = (filter: object = {}) =>
  asAdmin.request('/api/exports/leads', {
    method: 'POST',
    body: JSON.stringify(filter),
    headers: { 'content-type': 'application/json' },
  })
const linesOf = async (filter: object = {}) => {
  const response = await ask(filter)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  const text = Buffer.from(await response.arrayBuffer()).toString()
  expect(text.startsWith('\uFEFFNome;Telefone;E-mail;Corretor;')).toBe(true)
  return text.trimEnd().split('\r\n').slice(1)
}
const namesOf = async (filter: object = {}) => (await linesOf(filter)).map((line) => line.split(';')[0])

test('each row is a readable lead, and nothing runs as a formula', async () => {
  await makeContact(db, ana.instanceName, {
    name: '=HYPERLINK("http://x")', number: '5511905550148', email: 'sandra@example.com', source: 'importacao',
    empreendimento: '@Vista', notes: 'linha; com "aspas"', value_cents: 45_000_050, created_at: '2026-11-21T12:30:00Z',
  }) // prettier-ignore
  const [line] = await linesOf()
  expect(line).toContain(`"'=HYPERLINK(""http://x"")";(11) 90555-0148;sandra@example.com;`)
  expect(line).toContain(
    `;Novos Contatos;'@Vista;Lista importada;;;450000,5;;21/11/2026 09:30;;;;;"linha; com ""aspas"""`,
  )
})

describe('a filter', () => {
  test('selects brokers, including leads without one, developments, and days in the portal’s zone', async () => {
    const make = (name: string, owner: string | null, day: string, development: string | null = null) =>
      makeContact(db, owner, { name, created_at: day, empreendimento: development })
    await make('A', ana.instanceName, '2026-11-20T02:59:59Z', 'Vista')
    await make('B', bia.instanceName, '2026-11-20T03:00:00Z', 'Jardim')
    await make('C', null, '2026-11-21T02:59:59Z')
    expect(await namesOf()).toEqual(['A', 'B', 'C'])
    expect(await namesOf({ brokers: [ana.instanceName, ''] })).toEqual(['A', 'C'])
    expect(await namesOf({ developments: ['Jardim'] })).toEqual(['B'])
    expect(await namesOf({ from: '2026-11-20', to: '2026-11-20' })).toEqual(['B', 'C'])
    expect(await namesOf({ to: '2026-11-19' })).toEqual(['A'])
  })

  test('that is invalid is refused', async () => {
    expect((await ask({ from: '2026-02-31' })).status).toBe(400)
    expect((await ask({ brokers: 'todos' })).status).toBe(400)
  })
})

test('an export of several pages is complete and without repeats', async () => {
  await db.query(
    `insert into public.whatsapp_contacts (name, number) select 'L' || n, '55119' || (50000000 + n) from generate_series(1, 4100) n`,
  )
  const names = await namesOf()
  expect([names.length, new Set(names).size]).toEqual([4_100, 4_100])
})

test('an export is audited with its count; one beyond the limit is refused; a broker may not export', async () => {
  const { rows } = await db.query<{ id: number }>('select coalesce(max(id), 0) as id from portal.audit_log')
  const audited = async () =>
    (
      await db.query(`select details from portal.audit_log where subject = 'leads' and id > $1`, [
        rows[0]?.id ?? 0,
      ])
    ).rows
  await makeContact(db, ana.instanceName, {})
  await linesOf()
  expect(await audited()).toEqual([{ details: { count: 1 } }])
  const claims = await signIn(db, chief)
  await expect(
    onBehalf(db, claims, (query) => query(`select portal.begin_export('{}', 0)`)),
  ).rejects.toMatchObject({ code: 'PT422', hint: 'export.too-long' })
  expect((await asAna.call('/api/exports/leads', {})).status).toBe(403)
  expect(await audited()).toEqual([{ details: { count: 1 } }])
})
