// Each source's documented body and the lead in it; and no input of a sender breaks a source.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UnreadableLead, type KeySettings, type NewLead } from '#server/leads/intake/new-lead.ts'
import { readSent, toSent } from '#server/leads/intake/raw/body.ts'
import { KINDS, readBody, SOURCES, type KeyKind } from '#server/leads/intake/sources.ts'
import { startCpuTimer } from '#tests/support/cpu-time.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const read = (kind: KeyKind, body: unknown, settings: KeySettings = {}) =>
  readBody({ kind, settings }, body, NOW)
const one = (kind: KeyKind, body: unknown, settings: KeySettings = {}): NewLead => {
  const [lead] = read(kind, body, settings)
  if (lead === undefined || lead instanceof UnreadableLead) throw lead ?? new Error('no lead')
  return lead
}
const example = (kind: KeyKind) => structuredClone(SOURCES[kind].example.body) as Record<string, unknown>

const MARINA = { name: 'Marina Tavares', number: '5511955500142', email: 'marina@example.com', isTest: false }

test('screens distinguish the sources', () => {
  const presets = KINDS.map((kind) => SOURCES[kind].preset)
  for (const what of ['name', 'initials', 'place'] as const)
    expect(new Set(presets.map((preset) => preset[what])).size).toBe(KINDS.length)
  const hues = readFileSync('src/styles/hues.css', 'utf8')
  for (const { hue } of presets) expect(hues).toContain(`[data-hue='${hue}']`)
})

describe('the golden body of', () => {
  test.each([
    [
      'form',
      {
        source: 'instagram',
        campaign: 'Lançamento',
        listing: '4471',
        message: 'Quero visitar no sábado.',
        externalId: null,
        consentAt: '2026-11-21T12:00:00.000Z',
        fields: { gclid: 'EAIaIQobChMI' },
      },
    ],
    [
      'olx',
      {
        source: 'Viva Real',
        listing: '4471',
        message: 'Olá, tenho interesse neste imóvel. Aguardo o contato.',
        externalId: '59ee0fc6e4b043e1b2a6d863',
        fields: { timestamp: '2026-11-20T15:50:30.619Z' },
      },
    ],
    [
      'imovelweb',
      {
        source: 'ImovelWeb',
        listing: '4471',
        message: 'Gostaria de mais informações.',
        externalId: 'e7b2c7f0-6a3d-4d55-9f4f-0c1f6a2b9d11',
      },
    ],
    [
      'chavesnamao',
      {
        source: 'Chaves na Mão',
        listing: '4471',
        message: 'Gostaria de agendar uma visita.',
        externalId: '12345',
        fields: {
          anuncio: 'Apartamento no Lago',
          createdAt: '2026-11-20 14:30:00',
          finalidade: 'Venda',
          proposeTypeName: 'Formulário WhatsApp',
          sendAt: '2026-11-20 14:30:05',
          tipo: 'Apartamento',
        },
      },
    ],
    [
      'rdstation',
      {
        source: 'RD Station',
        campaign: 'mirante-do-lago',
        message: 'Quero a tabela.',
        externalId: 'c2f3d2b3-7250-4d27-97f4-eef38be32f7f mirante-do-lago 2026-11-20T14:07:04.254-03:00',
        consentAt: '2026-11-20T17:07:04.254Z',
      },
    ],
    [
      'google',
      {
        source: 'google',
        campaign: '20000000001',
        externalId: 'TeSter-123-ABCDEFGHIJKLMNOPQRSTUVWXYZ-abcdefghijklmnopqrstuvwxyz-0123456789',
        fields: {
          adgroup_id: '20000000002',
          campaign_id: '20000000001',
          creative_id: '30000000000',
          form_id: '40000000000',
          gclid: 'EAIaIQobChMI',
          quantos_quartos: '3',
        },
      },
    ],
    [
      'meta',
      {
        source: 'instagram',
        campaign: 'Lançamento',
        externalId: '1234567890123456',
        consentAt: '2026-11-20T09:30:00.000Z',
        fields: { 'quantos_quartos?': '2, 3' },
      },
    ],
    [
      'email',
      {
        source: 'Viva Real',
        listing: '4471',
        message: 'Olá, tenho interesse.\nPodem me ligar?',
        externalId: '73e6d360-66eb-11e1-8e72-a8904824019b',
        fields: { assunto: 'Enc: Você recebeu um novo contato' },
      },
    ],
  ] satisfies [KeyKind, Partial<NewLead>][])('%s', (kind, wanted) => {
    expect(one(kind, SOURCES[kind].example.body)).toMatchObject({ ...MARINA, ...wanted })
    // No answer contains the source's secret.
    expect(JSON.stringify(one(kind, SOURCES[kind].example.body))).not.toContain('segredo')
  })

  test.each(['olx', 'imovelweb', 'chavesnamao', 'google', 'rdstation'] as const)(
    "%s, with a form's key",
    (kind) => {
      expect(one('form', SOURCES[kind].example.body)).toEqual(one(kind, SOURCES[kind].example.body))
    },
  )
})

describe('Grupo OLX', () => {
  test.each([
    ['without the deprecated number', { phoneNumber: undefined }],
    ['with only the deprecated one', { phone: null, ddd: null }],
    ['with a number instead of a text', { phoneNumber: 11_955_500_142, phone: undefined }],
    ['with half of it there', { phoneNumber: '955500142' }],
  ])('%s', (_, part) => {
    expect(one('olx', { ...example('olx'), ...part })).toMatchObject(MARINA)
  })
})

test.each([
  [
    'in Spanish',
    { nombre: 'Marina Tavares', telefono: '11955500142', idContacto: 7, tipoEvento: 'CONTACTO' },
    '7',
  ],
  [
    'in English',
    { name: 'Marina Tavares', phone: '+55 11 95550-0142', eventId: 'e1', eventType: 'CONTACTO' },
    'e1',
  ],
  [
    'in English with the area code apart',
    { name: 'Marina Tavares', ddd: '11', phone: '955500142', eventId: 'e1', eventType: 'CONTACTO' },
    'e1',
  ],
  [
    // https://open-docs.navent.com/bra/mensaje-de-interesado/, "Inglés 2", with all its field names.
    'in English with names of Grupo OLX beside its own',
    {
      eventId: 'e1',
      eventType: 'CONTACTO_MENSAJE',
      contactTypeId: 1,
      idNavplatDevelopment: null,
      developmentCode: null,
      reference: '4471',
      timestamp: '2026-11-20T15:50:30.619Z',
      name: 'Marina Tavares',
      ddd: '11',
      phone: '955500142',
      phoneNumber: '11955500142',
      message: 'Gostaria de mais informações.',
      internalReference: 'IMOB',
      leadOrigin: 'Imovelweb',
      originLeadId: 90_211,
      originListingId: 2_988_119_001,
      clientListingId: '4471',
    },
    'e1',
  ],
  [
    'in its short form',
    {
      token: 'segredo',
      id: 77,
      txtNome: 'Marina Tavares',
      txtEmail: 'marina@example.com',
      txtDdd: '11',
      txtTelefone: 955_500_142,
    },
    null,
  ],
])('ImovelWeb %s', (_, body, externalId) => {
  const parsed = 'txtEmail' in body ? body : { ...body, email: 'marina@example.com' }
  expect(one('imovelweb', parsed)).toMatchObject({ ...MARINA, externalId })
  expect(one('form', parsed)).toEqual(one('imovelweb', parsed))
  expect(JSON.stringify(one('imovelweb', parsed))).not.toContain('segredo')
})

describe('RD Station', () => {
  const former = (part: object = {}) => ({
    id: '1',
    uuid: 'c2f3',
    email: 'marina@example.com',
    name: 'Marina Tavares',
    personal_phone: null,
    mobile_phone: null,
    first_conversion: { content: { telefone: '11 95550-0142' } },
    last_conversion: {
      content: { identificador: 'webinar', mensagem: 'Oi' },
      created_at: '2026-11-04T15:31:35-03:00',
      conversion_origin: { source: 'Google', medium: 'cpc', campaign: 'Verão' },
    },
    ...part,
  })

  test("in its former form: the conversion's phone and origin", () => {
    expect(one('rdstation', { leads: [former()] })).toMatchObject({
      ...MARINA,
      campaign: 'Verão',
      message: 'Oi',
      externalId: 'c2f3 webinar 2026-11-04T15:31:35-03:00',
      fields: { conversao: 'webinar', utm_source: 'Google', utm_medium: 'cpc', utm_campaign: 'Verão' },
    })
  })

  test('two leads of one body, and one without a lead', () => {
    const leads = [
      former(),
      former({ uuid: 'd4', email: 'lia@example.com' }),
      { uuid: 'e5', name: 'Ninguém' },
    ]
    const [first, second, third] = read('rdstation', { leads })
    expect([first, second]).toMatchObject([{ email: 'marina@example.com' }, { email: 'lia@example.com' }])
    expect(third).toMatchObject({ summary: 'Sem telefone nem e-mail' })
  })
})

test('Google’s connection test is recognised', () => {
  expect(one('google', { ...example('google'), is_test: true }).isTest).toBe(true)
})

describe('an e-mail', () => {
  const html = `<html><head><style>p{}</style></head><body><p><b>Nome</b>: Marina Tavares</p><table><tr><td>Telefone</td></tr>
    <tr><td>(11) 95550-0142</td></tr></table><p>Mensagem: Olá &amp; bom dia</p></body></html>`
  test.each([
    [
      'of SendGrid',
      { from: 'ZAP <x@zapimoveis.com.br>', html, headers: 'Message-ID: <a@b>\nReply-To: marina@example.com' },
    ],
    [
      'of Mailgun',
      {
        from: 'ZAP <x@zapimoveis.com.br>',
        'body-plain': '',
        'body-html': html,
        'message-headers': '[["Reply-To", "marina@example.com"], ["Message-Id", "<a@b>"]]',
      },
    ],
  ])('%s, HTML only', (_, body) => {
    expect(one('email', body)).toMatchObject({
      ...MARINA,
      source: 'ZAP Imóveis',
      message: 'Olá & bom dia',
      externalId: '<a@b>',
    })
  })

  test('reads the lead from the dial button, never the portal from its own address', () => {
    const body = {
      From: 'x@vivareal.com.br',
      ReplyTo: 'nao-responda@vivareal.com.br',
      HtmlBody: '<p>Nome: Lia</p><a href="https://wa.me/5511955500142">Chamar</a>',
    }
    expect(one('email', body)).toMatchObject({ name: 'Lia', number: '5511955500142', email: null })
  })
})

test('further numbers are kept with the lead, a mobile before a landline, with the rest of the text', () => {
  expect(
    one('form', { nome: 'Lia', telefone: '(11) 3333-4444 ramal 12 / 95550-0142 | +351 912 345 678' }),
  ).toMatchObject({
    number: '5511955500142',
    numbers: ['+351912345678', '551133334444'],
    fields: { telefone: 'ramal 12' },
  })
})

test('a service number is none, and the form says so', () => {
  expect(read('form', { nome: 'Lia', telefone: '0800 591 0142' })).toMatchObject([
    { summary: 'Telefone de central (0800, 4004), e sem e-mail' },
  ])
})

test('half a phone with an e-mail is added through the e-mail, and the half is kept', () => {
  expect(one('form', { nome: 'Lia', telefone: '95550-0142', email: 'Lia@Example.com ' })).toMatchObject({
    number: null,
    email: 'lia@example.com',
    fields: { telefone: '95550-0142' },
  })
})

test('a phone in an unknown field is named, and read once it is mapped', () => {
  const body = { nome: 'Lia', linha_2: '(11) 95550-0142' }
  expect(read('form', body)).toMatchObject([{ summary: 'Campo de telefone com nome novo: “linha_2”' }])
  expect(one('form', body, { mapping: { number: 'linha_2' } }).number).toBe('5511955500142')
  expect(one('olx', body, { mapping: { number: 'linha_2', name: 'nome' } })).toMatchObject({
    name: 'Lia',
    number: '5511955500142',
  })
})

test.each(['form', 'olx', 'imovelweb', 'chavesnamao', 'rdstation', 'google', 'email'] as const)(
  "%s: a mapping for one body keeps the source's own fields",
  (kind) => {
    const mapping = { number: 'linha_2', name: 'cliente', externalId: 'ref' }
    expect(one(kind, SOURCES[kind].example.body, { mapping })).toMatchObject({
      ...MARINA,
      externalId: one(kind, SOURCES[kind].example.body).externalId,
    })
  },
)

test('HTML in a name is removed', () => {
  expect(
    one('form', { nome: '<b>Ana</b> <script>alert(1)</script>Lima', telefone: '11955500142' }).name,
  ).toBe('Ana alert(1) Lima')
})

test.each([
  ['Latin-1 that says so', 'application/json; charset=iso-8859-1', 'latin1'],
  ['Latin-1 that says UTF-8', 'application/json; charset=utf-8', 'latin1'],
  ['Latin-1 in a charset of its own making', 'application/json; charset=x-none', 'latin1'],
  ['UTF-8', 'application/json', 'utf8'],
] as const)('%s keeps its letters', async (_, type, encoding) => {
  const bytes = Buffer.from(JSON.stringify({ nome: 'João Conceição', telefone: '11955500142' }), encoding)
  expect(one('form', readSent(toSent(bytes, type, null))).name).toBe('João Conceição')
})

describe('any input', () => {
  test('an object where Meta has a text is ignored', () => {
    const odd = { toString: false }
    const [asked] = read('meta', { ...example('meta'), platform: odd }) as NewLead[]
    expect(asked).toMatchObject({ source: 'facebook', number: MARINA.number })
  })

  const nested = (depth: number) => {
    let value: unknown = '11955500142'
    for (let at = 0; at < depth; at++) value = at % 2 ? { telefone: value } : [value]
    return value
  }
  const parsed = (kind: KeyKind, body: unknown) => {
    let leads: (NewLead | UnreadableLead)[]
    try {
      leads = read(kind, body)
    } catch (error) {
      expect(error).toBeInstanceOf(UnreadableLead)
      return
    }
    for (const lead of leads)
      if (!(lead instanceof UnreadableLead)) {
        // The database requires a way to reach the person, and texts within its columns' limits.
        expect(lead.number ?? lead.email).not.toBeNull()
        expect(lead.number ?? '5511955500142').toMatch(/^(?:55\d{10,11}|\+[1-9]\d{6,14})$/)
        expect(lead.name?.length ?? 0).toBeLessThanOrEqual(200)
        expect(lead.externalId?.length ?? 0).toBeLessThanOrEqual(200)
        expect([lead.name, lead.message, lead.listing, ...Object.values(lead.fields)].join('')).not.toContain(
          '\0',
        )
        if (lead.consentAt !== null) expect(Date.parse(lead.consentAt)).toBeLessThanOrEqual(NOW)
      }
  }

  test.each(KINDS)('%s: any JSON, and any change to its own body, gives a lead or a reason', (kind) => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.constantFrom(null, '', '95550', '\u0000', '<b>', '+351 912 345 678', 1e308, -1, nested(100)),
    )
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(() => parsed(kind, body)).not.toThrow()
      }),
      { numRuns: byTier(30, 100) },
    )
    const body = example(kind)
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(body)), value, fc.boolean(), (name, other, isDeep) => {
        const changed = structuredClone(body)
        const inner = Object.values(changed).find((part) => typeof part === 'object' && part !== null)
        if (isDeep && inner) for (const key of Object.keys(inner)) Reflect.set(inner, key, other)
        else changed[name] = other
        parsed(kind, changed)
      }),
      { numRuns: byTier(50, 200) },
    )
  })

  test.each(KINDS)('%s: 64 kB of slow input are read within a second', (kind) => {
    const long = ['<', '<style', ' ', 'a', '@', 'Nome:\n', '\n', 'r. ', '0', '['].map((part) =>
      part.repeat(64_000 / part.length),
    )
    for (const text of long) {
      const cpuMs = startCpuTimer()
      parsed(kind, {
        html: text,
        text,
        from: text,
        headers: text,
        name: text,
        phone: text,
        email: text,
        telefone: text,
      })
      parsed(kind, {
        user_column_data: [{ column_id: text, string_value: text }],
        contact: { name: text, email: text },
      })
      expect(cpuMs()).toBeLessThan(1_000)
    }
  })

  test.each(KINDS)('%s: nested a hundred deep', (kind) => {
    expect(() => parsed(kind, nested(100))).not.toThrow()
    parsed(kind, { ...example(kind), contact: nested(100), ad: nested(100), last_conversion: nested(100) })
  })
})
