// Bodies of form builders, CRMs and connectors in their documented forms: the lead in each, with any key.
import { describe, expect, test } from 'vitest'
import { UnreadableLead, type NewLead } from '#server/leads/intake/new-lead.ts'
import { readSent, toSent } from '#server/leads/intake/raw/body.ts'
import { readBody, type KeyKind } from '#server/leads/intake/sources.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const read = (body: unknown, kind: KeyKind = 'form') => readBody({ kind, settings: {} }, body, NOW)
function one(body: unknown, kind?: KeyKind): NewLead {
  const [lead] = read(body, kind)
  if (lead === undefined || lead instanceof UnreadableLead) throw lead ?? new Error('no lead')
  return lead
}
const posted = (body: string, contentType = 'application/x-www-form-urlencoded') =>
  readSent(toSent(Buffer.from(body), contentType, null))

const PHONE = '(11) 95550-0142'
const MAIL = 'marina@example.com'
const MARINA = { name: 'Marina Tavares', number: '5511955500142', email: MAIL }

const BUILDERS: Record<string, unknown> = {
  'Contact Form 7': posted(
    new URLSearchParams({
      _wpcf7: '12',
      _wpcf7_unit_tag: 'wpcf7-f12-p1-o1',
      'your-name': 'Marina Tavares',
      'your-email': MAIL,
      'your-tel': PHONE,
      'your-message': 'Quero visitar',
    }).toString(),
  ),
  'Elementor, advanced': posted(
    new URLSearchParams({
      'form[id]': 'a1',
      'form[name]': 'Contato do site',
      'fields[field_9][title]': 'Seu nome',
      'fields[field_9][type]': 'text',
      'fields[field_9][value]': 'Marina Tavares',
      'fields[email][title]': '',
      'fields[email][type]': 'email',
      'fields[email][value]': MAIL,
      'fields[field_2][title]': 'WhatsApp',
      'fields[field_2][value]': PHONE,
      'fields[message][title]': 'Mensagem',
      'fields[message][value]': 'Quero visitar',
      'meta[page_url][value]': 'https://imobiliaria.example',
    }).toString(),
  ),
  WPForms: {
    id: '9',
    form_title: 'Contato',
    fields: [
      { name: 'Nome', value: 'Marina Tavares', id: 1, type: 'name', first: 'Marina', last: 'Tavares' },
      { name: 'E-mail', value: MAIL, id: 2, type: 'email' },
      { name: 'Celular', value: PHONE, id: 3, type: 'phone' },
      { name: 'Como podemos ajudar?', value: 'Quero visitar', id: 4, type: 'textarea' },
    ],
  },
  'Gravity Forms, with an address': {
    '1.3': 'Marina',
    '1.6': 'Tavares',
    '2': MAIL,
    '3': PHONE,
    '5.1': 'Rua das Flores, 1',
    '5.3': 'Santos',
    '5.6': 'Brasil',
    form_id: '1',
    ip: '203.0.113.9',
  },
  Typeform: {
    event_type: 'form_response',
    form_response: {
      form_id: 'f',
      hidden: { utm_campaign: 'Lançamento' },
      definition: {
        title: 'Contato',
        fields: [
          { id: 'a', ref: 'x', type: 'short_text', title: 'Como você se chama?' },
          { id: 'b', ref: 'y', type: 'short_text', title: 'Seu melhor WhatsApp' },
          { id: 'c', ref: 'z', type: 'multiple_choice', title: 'Quantos quartos?' },
        ],
      },
      answers: [
        { type: 'text', text: 'Marina Tavares', field: { id: 'a', ref: 'x', type: 'short_text' } },
        { type: 'text', text: PHONE, field: { id: 'b', ref: 'y', type: 'short_text' } },
        { type: 'choice', choice: { label: 'Três' }, field: { id: 'c', ref: 'z', type: 'multiple_choice' } },
        { type: 'email', email: MAIL, field: { id: 'd', type: 'email' } },
      ],
    },
  },
  Jotform: posted(
    new URLSearchParams({
      formID: '2',
      formTitle: 'Contato',
      username: 'imobiliaria',
      rawRequest: JSON.stringify({
        slug: 'submit/2',
        q3_nomeCompleto: { first: 'Marina', last: 'Tavares' },
        q4_seuEmail: MAIL,
        q5_telefone: { area: '11', phone: '95550-0142' },
        q6_mensagem: 'Quero visitar',
      }),
    }).toString(),
  ),
  Tally: {
    eventType: 'FORM_RESPONSE',
    data: {
      formName: 'Contato',
      fields: [
        { key: 'question_1', label: 'Nome', type: 'INPUT_TEXT', value: 'Marina Tavares' },
        { key: 'question_2', label: 'Telefone', type: 'INPUT_PHONE_NUMBER', value: '+5511955500142' },
        { key: 'question_3', label: 'E-mail', type: 'INPUT_EMAIL', value: MAIL },
        {
          key: 'question_4',
          label: 'Quartos',
          type: 'DROPDOWN',
          value: ['o2'],
          options: [
            { id: 'o1', text: 'Dois' },
            { id: 'o2', text: 'Três' },
          ],
        },
      ],
    },
  },
  Wix: {
    data: {
      formName: 'Contato',
      submissions: [
        { label: 'Nome', value: 'Marina' },
        { label: 'Sobrenome', value: 'Tavares' },
        { label: 'Telefone', value: PHONE },
        { label: 'E-mail', value: MAIL },
      ],
    },
  },
  'Webflow, version 2': {
    triggerType: 'form_submission',
    payload: {
      name: 'Formulário de contato',
      siteId: 's',
      data: { 'Nome completo': 'Marina Tavares', Telefone: PHONE, Email: MAIL },
      schema: [{ fieldName: 'Telefone', fieldType: 'FormTextInput' }],
    },
  },
  Unbounce: posted(
    new URLSearchParams({
      page_name: 'Landing',
      'data.json': JSON.stringify({
        nome: ['Marina Tavares'],
        telefone: [PHONE],
        email: [MAIL],
        page_name: ['Landing'],
      }),
    }).toString(),
  ),
  'HubSpot, a workflow': {
    vid: 1,
    'associated-owner': { email: 'bruno@imobiliaria.example', 'first-name': 'Bruno' },
    properties: {
      firstname: { value: 'Marina', versions: [] },
      lastname: { value: 'Tavares', versions: [] },
      mobilephone: { value: PHONE },
      phone: { value: '' },
      email: { value: MAIL },
      hubspot_owner_email: { value: 'bruno@imobiliaria.example' },
    },
  },
  'HubSpot, a form': {
    fields: [
      { objectTypeId: '0-1', name: 'firstname', value: 'Marina' },
      { objectTypeId: '0-1', name: 'lastname', value: 'Tavares' },
      { objectTypeId: '0-1', name: 'phone', value: PHONE },
      { objectTypeId: '0-1', name: 'email', value: MAIL },
    ],
    context: { pageName: 'Contato' },
  },
  'Google Forms, named values': {
    namedValues: {
      'Nome completo': ['Marina Tavares'],
      'Telefone com DDD': [PHONE],
      'Endereço de e-mail': [MAIL],
    },
    values: ['20/11/2026', 'Marina Tavares', PHONE, MAIL],
  },
  'Google Forms, answers': {
    formulario: 'Contato',
    respostas: [
      { pergunta: 'Qual é o seu nome?', resposta: 'Marina Tavares' },
      { pergunta: 'Qual é o seu WhatsApp?', resposta: PHONE },
      { pergunta: 'Qual é o seu e-mail?', resposta: MAIL },
    ],
  },
  Make: {
    'Full Name': 'Marina Tavares',
    'Phone Number': PHONE,
    Email: MAIL,
    'Ad Name': 'Vídeo',
    'Campaign Name': 'Mirante',
  },
  Zapier: {
    'data__Full Name': 'Marina Tavares',
    data__phone_number: `p:${MARINA.number}`,
    data__email: MAIL,
    form_name: 'Contato',
  },
  'n8n, the request as a whole': {
    headers: { host: 'n8n.example', from: 'bruno@imobiliaria.example' },
    query: {},
    body: { nome: 'Marina Tavares', celular: PHONE, 'e-mail': MAIL },
  },
  'a CRM’s deal': {
    name: 'Apartamento no Lago',
    owner: { name: 'Bruno Corretor', email: 'bruno@imobiliaria.example', phone: '11 95550-0100' },
    pipeline: { name: 'Funil' },
    contacts: [{ name: 'Marina Tavares', phones: [{ phone: PHONE }], emails: [{ email: MAIL }] }],
  },
  'two names for the person, its staff flat beside it': {
    corretor_nome: 'Bruno Corretor',
    corretor_email: 'bruno@imobiliaria.example',
    user_phone: '11 95550-0100',
    cliente: { nome: 'Marina Tavares', contato: { telefone: PHONE, email: MAIL } },
  },
}

test.each(Object.entries(BUILDERS))('%s', (_, body) => {
  expect(one(body)).toMatchObject(MARINA)
  expect(JSON.stringify([one(body).name, one(body).number, one(body).email])).not.toContain('runo')
})

test('the form’s name is the source, its questions are kept, its campaign is recognised', () => {
  expect(one(BUILDERS['Elementor, advanced'])).toMatchObject({
    source: 'Contato do site',
    message: 'Quero visitar',
  })
  expect(one(BUILDERS['Typeform'])).toMatchObject({
    campaign: 'Lançamento',
    fields: { 'Quantos quartos?': 'Três' },
  })
  expect(one(BUILDERS['Tally']).fields).toMatchObject({ Quartos: 'Três' })
  expect(one(BUILDERS['Make'])).toMatchObject({ campaign: 'Mirante', fields: { 'Ad Name': 'Vídeo' } })
  expect(one(BUILDERS['Jotform'])).toMatchObject({ source: 'Contato', message: 'Quero visitar' })
})

test('several people in one body are several leads', () => {
  const rows = [
    { nome: 'Marina Tavares', celular: PHONE },
    { nome: 'Lia', celular: '11 95550-0199' },
  ]
  expect(read({ planilha: 'Maio', rows })).toMatchObject([
    { name: 'Marina Tavares' },
    { name: 'Lia', number: '5511955500199' },
  ])
})

test.each([
  [{ user: { name: 'Bruno', email: 'bruno@example.com', phone: PHONE } }],
  [{ user_email: 'bruno@example.com', owner: 'bruno@example.com', assigned_to: { email: 'b@example.com' } }],
  [{ sender: 'bruno@example.com', sender_phone: PHONE }],
])('%j is staff, not a lead', (body) => {
  expect(read(body)).toEqual([expect.any(UnreadableLead)])
})

test('a field that only looks like a name, a phone or an e-mail is none', () => {
  const lead = one({
    telefone: PHONE,
    prefere_contato_por_telefone: 'sim',
    newsletter_email: 'sim',
    event: { name: 'Contato' },
  })
  expect(lead).toMatchObject({ name: null, number: MARINA.number, email: null })
})

describe('RD Station CRM', () => {
  const deal = {
    event_name: 'crm_deal_updated',
    document: {
      id: '6508',
      name: 'Apto Moema',
      user: { name: 'Bruno Corretor', email: 'bruno@example.com' },
      deal_source: { name: 'Indicação' },
      deal_stage: { name: 'Sem contato' },
      campaign: { name: 'Outubro' },
      deal_custom_fields: [
        { value: PHONE, custom_field: { label: 'Whatsapp' } },
        { value: 'Lago', custom_field: { label: 'Bairro' } },
      ],
      contacts: [{ name: 'Marina Tavares', phones: [], emails: [{ email: MAIL }] }],
    },
  }

  test.each(['form', 'rdstation', 'olx', 'email', 'meta'] as const)('is read with a key of %s', (kind) => {
    expect(one(deal, kind)).toMatchObject({
      ...MARINA,
      source: 'Indicação',
      campaign: 'Outubro',
      externalId: '6508',
      fields: { negociacao: 'Apto Moema', responsavel: 'Bruno Corretor', Bairro: 'Lago' },
    })
  })

  test('a deal without a person is reported; a deleted one is no lead', () => {
    const empty = { ...deal, document: { ...deal.document, contacts: [] } }
    expect(() => read(empty)).toThrow(
      expect.objectContaining({ summary: 'Negociação do RD Station CRM sem contato' }) as Error,
    )
    const deleted = { ...deal, event_name: 'crm_deal_deleted' }
    expect(() => read(deleted)).toThrow(expect.objectContaining({ isNoLead: true }) as Error)
  })
})

test('RD Station Marketing: the phone of the newest conversion wins', () => {
  const lead = {
    uuid: 'u',
    name: 'Marina Tavares',
    email: MAIL,
    user: 'bruno@example.com',
    mobile_phone: '11 95550-0100',
    first_conversion: { content: { telefone: '11 95550-0111' } },
    last_conversion: { content: { 'Qual o seu celular?': PHONE }, created_at: '2026-11-04T15:31:35-03:00' },
  }
  expect(one({ leads: [lead] })).toMatchObject(MARINA)
  expect(one({ leads: [{ ...lead, last_conversion: { content: { telefone: '' } } }] }).number).toBe(
    '5511955500100',
  )
})

describe('Meta', () => {
  const answers = (given: Record<string, string>) => ({
    leadgen_id: '77',
    field_data: Object.entries(given).map(([name, value]) => ({ name, values: [value] })),
  })

  test.each(['meta', 'form'] as const)('reads full-text questions, with a key of %s', (kind) => {
    const asked = {
      'qual_o_seu_nome_completo?': 'Marina Tavares',
      'qual_é_o_seu_whatsapp?': PHONE,
      'qual_o_seu_melhor_e-mail?': MAIL,
      'quantos_quartos?': '3',
    }
    expect(one(answers(asked), kind)).toMatchObject({ ...MARINA, fields: { 'quantos_quartos?': '3' } })
  })

  test.each([
    [
      'its own tool’s answers',
      answers({ full_name: '<test lead: dummy data for full_name>', email: 'test@meta.com' }),
    ],
    [
      'its own tool’s answers, no way to reach',
      answers({ phone_number: '<test lead: dummy data for phone_number>' }),
    ],
    [
      'its webhooks’ sample',
      {
        entry: [
          { changes: [{ field: 'leadgen', value: { leadgen_id: '444444444444', form_id: '444444444444' } }] },
        ],
      },
    ],
  ])('%s are a test', (_, body) => {
    expect(read(body, 'meta')).toMatchObject([{ isTest: true }])
  })
})
