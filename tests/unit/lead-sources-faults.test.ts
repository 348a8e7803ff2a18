// Faults from any source: half a phone number, a foreign one, markup in the name, another charset, two leads in one
// body. Every source must handle them alike.
import { describe, expect, test } from 'vitest'
import { UnreadableLead, type NewLead } from '#server/leads/intake/new-lead.ts'
import { readSent, toSent, withoutFiles } from '#server/leads/intake/raw/body.ts'
import { KINDS, readBody, SOURCES, type KeyKind } from '#server/leads/intake/sources.ts'
import { startCpuTimer } from '#tests/support/cpu-time.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const read = (kind: KeyKind, body: unknown) => readBody({ kind, settings: {} }, body, NOW)
function one(kind: KeyKind, body: unknown): NewLead {
  const [lead, ...others] = read(kind, body)
  expect(others).toEqual([])
  if (lead === undefined || lead instanceof UnreadableLead) throw lead ?? new Error('no lead')
  return lead
}

/** The source's own body with another person; null: without phone or address. */
function told(
  kind: KeyKind,
  { name, phone, email }: { name?: string; phone?: string; email?: string | null },
) {
  let body = JSON.stringify(SOURCES[kind].example.body)
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
  // The area code belongs to the removed number.
  if (phone !== undefined) delete parsed['ddd']
  return parsed
}

describe.each(KINDS)('%s', (kind) => {
  test('half a phone is added through the e-mail, and the half is kept', () => {
    expect(one(kind, told(kind, { phone: '95550-0142' }))).toMatchObject({
      name: 'Marina Tavares',
      number: null,
      email: 'marina@example.com',
      fields: { telefone: '95550-0142' },
    })
  })

  test('half a phone alone is no lead, and the reason says what is missing', () => {
    const body = told(kind, { phone: '95550-0142', email: null })
    expect(read(kind, body)).toMatchObject([{ summary: 'Telefone incompleto, e sem e-mail' }])
  })

  test('a foreign phone stays foreign', () => {
    expect(one(kind, told(kind, { phone: '+351 912 345 678' })).number).toBe('+351912345678')
  })

  test('markup in the name is removed', () => {
    const name = '<b>Ana</b> <img src=x onerror=alert(1)>Lima'
    expect(one(kind, told(kind, { name })).name).toBe('Ana Lima')
    // A source may send text that it escaped for a web page.
    expect(one(kind, told(kind, { name: 'Ana D&#39;Ávila &amp; Cia &lt;i&gt;' })).name).toBe(
      "Ana D'Ávila & Cia",
    )
  })

  test.each([
    ['latin1', 'application/json; charset=iso-8859-1'],
    ['latin1', 'application/json; charset=utf-8'],
    ['utf8', 'application/json; charset=x-none'],
    ['utf8', 'text/plain'],
  ] as const)('letters in %s under “%s” are kept', async (encoding, type) => {
    const bytes = Buffer.from(JSON.stringify(told(kind, { name: 'João Conceição' })), encoding)
    expect(one(kind, readSent(toSent(bytes, type, null))).name).toBe('João Conceição')
  })

  test('two leads in one list are two, and an unreadable one hides no other', () => {
    const lia = told(kind, { phone: '11955500199', email: 'lia@example.com' })
    const nobody = told(kind, { phone: '', email: null })
    const leads = read(kind, [SOURCES[kind].example.body, lia, nobody, 'olá'])
    expect(leads.map((lead) => (lead instanceof UnreadableLead ? lead.summary : lead.number))).toEqual([
      '5511955500142',
      '5511955500199',
      expect.stringMatching(/^Sem telefone nem e-mail|^Sem as respostas/),
      'Não é JSON nem formulário',
    ])
    expect(() => read(kind, [])).toThrow(UnreadableLead)
  })
})

test('a mapping made for the first of a list applies to each', () => {
  const settings = { mapping: { name: '0.quem', number: '0.contato' } }
  const body = [{ quem: 'Lia', contato: '11955500199' }, { quem: 'Outra' }]
  expect(readBody({ kind: 'form', settings }, body, NOW)).toMatchObject([
    { name: 'Lia', number: '5511955500199' },
    { summary: 'Sem telefone nem e-mail' },
  ])
})

describe('a form in an older charset', () => {
  test('URL-encoded', async () => {
    const body = Buffer.from('nome=Jo%E3o+Concei%E7%E3o&telefone=11+95550-0142&e-mail=&vazio&a=%zz')
    const type = 'application/x-www-form-urlencoded'
    expect(readSent(toSent(body, type, null))).toEqual({
      nome: 'João Conceição',
      telefone: '11 95550-0142',
      'e-mail': '',
      vazio: '',
      a: '%zz',
    })
    const modern = Buffer.from(new URLSearchParams({ nome: 'João & Lia', 'cidade?': 'São' }).toString())
    expect(readSent(toSent(modern, type, null))).toEqual({ nome: 'João & Lia', 'cidade?': 'São' })
  })

  test('as an inbound mail service posts it: each value in a part, beside a picture', async () => {
    const part = (name: string, value: Buffer | string, more = '') => [
      Buffer.from(`--xYzZY\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]
    const bytes = Buffer.concat([
      ...part('subject', 'João quer saber'),
      ...part('text', Buffer.from('Nome: João Conceição', 'latin1')),
      ...part('html', Buffer.from([0xce, 0xeb])),
      ...part('charsets', '{"subject":"UTF-8","text":"iso-8859-1","html":"koi8-r"}'),
      ...part('attachment1', Buffer.from([0x89, 0x50, 0, 0xff]), '; filename="logo.png"'),
      Buffer.from('--xYzZY--\r\n'),
    ])
    const type = 'multipart/form-data; boundary=xYzZY'
    const kept = withoutFiles(bytes, type)
    expect(bytes.length - kept.length).toBeGreaterThan(4)
    expect(Buffer.from(kept).includes('logo.png')).toBe(false)
    expect(Buffer.from(withoutFiles(kept, type)).equals(kept)).toBe(true)
    expect(readSent(toSent(bytes, type, null))).toEqual(readSent(toSent(kept, type, null)))
    expect(readSent(toSent(kept, type, null))).toEqual({
      subject: 'João quer saber',
      text: 'Nome: João Conceição',
      html: 'нК',
      charsets: '{"subject":"UTF-8","text":"iso-8859-1","html":"koi8-r"}',
    })
  })
})

test('long text is cut between letters, because the database refuses half of one', () => {
  const long = (most: number) => `${'x'.repeat(most - 1)}😀`
  const told = { name: long(200), message: long(4_000), originLeadId: long(200), [long(100)]: long(2_000) }
  const lead = one('olx', { ...(SOURCES.olx.example.body as object), ...told })
  expect(JSON.stringify(lead)).not.toContain(String.raw`\ud83d`)
  expect([lead.name?.length, lead.externalId?.length]).toEqual([199, 199])
})

test('a consent with an impossible year is none', () => {
  const at = (consentAt: string) => one('form', { telefone: '11 95550-0142', consentAt }).consentAt
  expect(at('0000-01-01T00:00:00Z')).toBeNull()
  // The default value of an untouched field.
  expect(at('0001-01-01T00:00:00Z')).toBeNull()
})

test('an e-mail written to slow the reader is read quickly', () => {
  const bodies = [
    Array.from({ length: 16 }, () => `a${' *'.repeat(1_990)}b`).join('\n'),
    'Nome:\n'.repeat(10_900),
    'Mensagem:\n\n'.repeat(6_000),
  ]
  const cpuMs = startCpuTimer()
  for (const text of bodies) read('email', { text, ReplyTo: 'ana@example.com', From: 'x@vivareal.com.br' })
  expect(cpuMs()).toBeLessThan(1_000)
})

describe('a body written to slow the reader', () => {
  test.each([
    ['a list of nobody', 'application/json', `[${'{},'.repeat(20_000)}{}]`],
    [
      'values within values',
      'application/json',
      `{"telefone":"x","x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
    ],
    ['fields of no charset', 'application/x-www-form-urlencoded', '%e3=%e3&'.repeat(8_000)],
    ['fields of one letter', 'application/x-www-form-urlencoded', 'a=1&'.repeat(16_000)],
  ])('%s is quickly recognised as no lead', (_, contentType, body) => {
    const cpuMs = startCpuTimer()
    for (const kind of KINDS)
      expect(() => read(kind, readSent({ contentType, repeatKey: null, body }))).toThrow(UnreadableLead)
    expect(cpuMs()).toBeLessThan(1_000)
  })

  test('all leads of a body of maximum size are read', () => {
    const leadsOf = (count: number) => ({
      leads: Array.from({ length: count }, () => ({ last_conversion: {} })),
    })
    expect(read('rdstation', leadsOf(500))).toHaveLength(500)
    expect(() => read('rdstation', leadsOf(501))).toThrow('Envie no máximo 500 leads de uma vez.')
    const leads = Array.from({ length: 500 }, (_, place) => ({ telefone: `1195550${1000 + place}` }))
    expect(read('form', leads)).toHaveLength(500)
  })
})
