// What goes wrong on the way from any source: half a phone, one of another country, markup in the name, letters of another charset, two
// leads of one body. Each source reads all of it alike.
import { describe, expect, test } from 'vitest'
import { UnreadableLead, type NewLead } from '#server/leads/intake/new-lead.ts'
import { readSent, toSent } from '#server/leads/intake/raw/body.ts'
import { KINDS, readBody, type KeyKind } from '#server/leads/intake/sources.ts'
import { EXAMPLES } from '#server/leads/intake/sources/examples.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const read = (kind: KeyKind, body: unknown) => readBody({ kind, settings: {} }, body, NOW)
function one(kind: KeyKind, body: unknown): NewLead {
  const [lead, ...others] = read(kind, body)
  expect(others).toEqual([])
  if (lead === undefined || lead instanceof UnreadableLead) throw lead ?? new Error('no lead')
  return lead
}

/** The source's own body, told of somebody else; null: of nobody's phone or address. */
function told(
  kind: KeyKind,
  { name, phone, email }: { name?: string; phone?: string; email?: string | null },
) {
  let body = JSON.stringify(EXAMPLES[kind].body)
  const put = (known: readonly string[], value: string | null | undefined) => {
    if (value === undefined) return
    const written = JSON.stringify(value ?? '').slice(1, -1)
    for (const one of known) body = body.replaceAll(one, written)
  }
  put(
    ['+5511955500142', '(11) 95550-0142', '11 95550-0142', '11955500142', '955500142', '48 3025-2598'],
    phone,
  )
  put(['Marina Tavares'], name)
  put(['marina@example.com'], email)
  const parsed = JSON.parse(body) as Record<string, unknown>
  // The area code belongs to the number that was taken out.
  if (phone !== undefined) delete parsed['ddd']
  return parsed
}

describe.each(KINDS)('%s', (kind) => {
  test('half a phone comes in by the e-mail, and the half is kept', () => {
    expect(one(kind, told(kind, { phone: '95550-0142' }))).toMatchObject({
      name: 'Marina Tavares',
      number: null,
      email: 'marina@example.com',
      fields: { telefone: '95550-0142' },
    })
  })

  test('half a phone alone is nobody, and says what is missing', () => {
    const body = told(kind, { phone: '95550-0142', email: null })
    expect(read(kind, body)).toMatchObject([{ summary: 'Telefone incompleto, e sem e-mail' }])
  })

  test('a phone of another country stays one', () => {
    expect(one(kind, told(kind, { phone: '+351 912 345 678' })).number).toBe('351912345678')
  })

  test('markup in the name is none', () => {
    const name = '<b>Ana</b> <img src=x onerror=alert(1)>Lima'
    expect(one(kind, told(kind, { name })).name).toBe('Ana Lima')
  })

  test.each([
    ['latin1', 'application/json; charset=iso-8859-1'],
    ['latin1', 'application/json; charset=utf-8'],
    ['utf8', 'application/json; charset=x-none'],
    ['utf8', 'text/plain'],
  ] as const)('letters in %s under “%s” stay what they are', async (encoding, type) => {
    const bytes = Buffer.from(JSON.stringify(told(kind, { name: 'João Conceição' })), encoding)
    expect(one(kind, await readSent(toSent(bytes, type, null))).name).toBe('João Conceição')
  })

  test('two leads in one list are two, or kept for a person: never one of them alone', () => {
    const bodies = [EXAMPLES[kind].body, told(kind, { phone: '11955500199', email: 'lia@example.com' })]
    let leads: (NewLead | UnreadableLead)[]
    try {
      leads = read(kind, bodies)
    } catch (error) {
      expect(error).toBeInstanceOf(UnreadableLead)
      return
    }
    expect(leads).toHaveLength(2)
  })
})
