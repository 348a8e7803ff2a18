// The leads in bodies of forms and portals, with any field names, and refusals with their reasons.
import { describe, expect, test } from 'vitest'
import { UnreadableLead } from '#server/leads/intake/new-lead.ts'
import { readBody } from '#server/leads/intake/sources.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const read = (body: unknown, settings = {}) => {
  const [lead] = readBody({ kind: 'form', settings }, body, NOW)
  if (lead === undefined || lead instanceof UnreadableLead) throw lead ?? new Error('no lead')
  return lead
}

test('a form in Portuguese', () => {
  expect(
    read({
      nome: ' Marina Tavares ',
      telefone: '(11) 95550-0142',
      origem: 'Instagram',
      empreendimento: 'Mirante do Lago',
      mensagem: 'Quero visitar',
      aceite: 'on',
      quartos: 2,
      renda: { faixa: 'B' },
      vazio: '',
    }),
  ).toEqual({
    name: 'Marina Tavares',
    number: '5511955500142',
    numbers: [],
    email: null,
    listing: null,
    isTest: false,
    source: 'instagram',
    campaign: null,
    development: 'Mirante do Lago',
    message: 'Quero visitar',
    fields: { quartos: '2', renda: '{"faixa":"B"}' },
    externalId: null,
    consentAt: '2026-11-21T12:00:00.000Z',
    consentText: null,
  })
})

test("a foreign body by its mapping; the key's defaults fill gaps", () => {
  const settings = {
    source: 'portal',
    development: 'Reserva Ipê',
    mapping: { name: 'client.name', number: 'client.phones.0', externalId: 'ref' },
  }
  expect(
    read({ ref: 77, client: { name: 'Lia', phones: ['+351 912 345 678'] }, telefone: 'x' }, settings),
  ).toMatchObject({
    name: 'Lia',
    number: '+351912345678',
    source: 'portal',
    development: 'Reserva Ipê',
    externalId: '77',
    fields: { telefone: 'x' },
  })
})

describe.each([
  ['no object', 'oi', 'Envie os dados do lead como JSON ou formulário.'],
  ['a list', [], 'Envie os dados do lead como JSON ou formulário.'],
  ['nothing', null, 'Envie os dados do lead como JSON ou formulário.'],
  ['no number', { nome: 'Lia' }, 'Informe o telefone do lead.'],
  [
    'half a number',
    { telefone: '95550-0142' },
    'O telefone não está completo: informe com DDD, por exemplo (11) 95550-0142.',
  ],
  [
    'too long a name',
    { telefone: '11955500142', nome: 'x'.repeat(201) },
    'O campo nome passa de 200 caracteres.',
  ],
  [
    'too many fields',
    { telefone: '11955500142', ...Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`f${n}`, 'x'])) },
    'Envie no máximo 50 campos livres.',
  ],
  [
    'a date of consent that is none',
    { telefone: '11955500142', consentAt: 'ontem' },
    'Informe a data do consentimento como 2026-11-21T12:00:00Z.',
  ],
])('%s', (_, body, message) => {
  test('is refused', () => {
    expect(() => read(body)).toThrow(expect.objectContaining({ status: 422, message }) as Error)
  })
})

test('a consent in the future counts as now; a no is none', () => {
  const lead = { telefone: '11955500142' }
  expect(read({ ...lead, consentAt: '2030-01-01T00:00:00Z' }).consentAt).toBe('2026-11-21T12:00:00.000Z')
  expect(read({ ...lead, consent: 'false' }).consentAt).toBeNull()
})

test("a plain id is the form's own, not a delivery’s: many send the same with each lead", () => {
  expect(read({ telefone: '(11) 95550-0142', id: 'contato-rodape' })).toMatchObject({
    externalId: null,
    fields: { id: 'contato-rodape' },
  })
})
