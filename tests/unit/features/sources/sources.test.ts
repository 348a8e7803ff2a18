// A source's form and request, a source's state, and mapping an unreadable body.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Source } from '#features/sources/data.ts'
import { flatValues, guessMapping } from '#features/sources/flat-values.ts'
import { formSnippet } from '#features/sources/form-snippet.ts'
import { mendedText } from '#features/sources/kept-dialog.tsx'
import { draftFault, newDraft, pagesIn, type SourceDraft, toIntent } from '#features/sources/source-draft.ts'
import { sourceState } from '#features/sources/source-state.ts'
import { readText, testedText } from '#features/sources/texts.ts'
import { table } from '#tests/support/table.ts'

describe('a new source', () => {
  const draft = (kind: string, part: Partial<SourceDraft> = {}) => ({
    ...newDraft({ kind, name: 'Site ou outro sistema' }, []),
    ...part,
  })

  table('%#', draftFault, [
    [draft('olx'), null],
    [draft('olx', { name: ' ' }), 'name'],
    [draft('meta'), 'secrets'],
    [draft('meta', { appSecret: 'a', verifyToken: 'b' }), null],
    [draft('form', { pages: 'https://a.example\n https://b.example:8443/' }), null],
    [draft('form', { pages: 'a.example' }), 'pages'],
    [draft('olx', { pages: 'a.example' }), null],
  ])

  it('is named after its kind, the second one with a number', () => {
    const kind = { kind: 'olx', name: 'ZAP e OLX' }
    expect(newDraft(kind, []).name).toBe('ZAP e OLX')
    expect(newDraft(kind, ['ZAP e OLX', 'ZAP e OLX 2']).name).toBe('ZAP e OLX 3')
  })

  it('is sent with filled-in fields that its kind uses', () => {
    const filled = {
      source: ' site ',
      development: ' Torre Azul ',
      appSecret: 'segredo',
      verifyToken: 'token',
      pages: 'HTTPS://A.example/',
      forms: [
        { formId: '123', development: 'Mirante do Lago' },
        { formId: '', development: 'Sem formulário' },
      ],
    }
    expect(toIntent(draft('form', filled))).toMatchObject({
      kind: 'form',
      name: 'Site ou outro sistema',
      perMinute: 120,
      settings: { source: 'site', development: 'Torre Azul', origins: ['https://a.example'] },
      secrets: {},
    })
    expect(toIntent(draft('meta', filled))).toMatchObject({
      settings: {
        source: 'site',
        development: 'Torre Azul',
        developmentByForm: { '123': 'Mirante do Lago' },
      },
      secrets: { appSecret: 'segredo', verifyToken: 'token' },
    })
    expect(toIntent(draft('olx', filled)).settings).toEqual({ source: 'site', development: 'Torre Azul' })
  })

  table('pages of %j', pagesIn, [
    ['', []],
    ['https://a.example\nhttps://A.example/', ['https://a.example']],
    ['https://a.example/pagina', null],
    ['*', null],
    [Array.from({ length: 21 }, (_, at) => `https://a${at}.example`).join(' '), null],
  ])
})

describe('the state of a source', () => {
  const NOW = Date.parse('2026-11-23T12:00:00Z')
  const HOUR_MS = 3_600_000
  const source = (part: Partial<Source>): Source =>
    ({
      revokedAtMs: null,
      offAtMs: null,
      unread: 0,
      failed: 0,
      usedAtMs: null,
      gapSeconds: null,
      ...part,
    }) as Source

  it.each([
    [{}, 'Esperando o primeiro'],
    [{ usedAtMs: NOW - HOUR_MS }, 'Recebendo'],
    [{ usedAtMs: NOW - 2 * HOUR_MS, gapSeconds: 60 }, 'Recebendo'],
    [{ usedAtMs: NOW - 25 * HOUR_MS, gapSeconds: 60 }, 'Quieta há 1 dia'],
    [{ usedAtMs: NOW - 144 * HOUR_MS, gapSeconds: 48 * 3_600 }, 'Quieta há 6 dias'],
    [{ usedAtMs: NOW - 143 * HOUR_MS, gapSeconds: 48 * 3_600 }, 'Recebendo'],
    [{ usedAtMs: NOW, unread: 2, failed: 1 }, '3 para ler'],
    [{ usedAtMs: NOW, unread: 2, offAtMs: NOW }, 'Desligada'],
    [{ usedAtMs: NOW, offAtMs: NOW, revokedAtMs: NOW }, 'Revogada'],
  ])('%j is %s', (part, label) => expect(sourceState(source(part), NOW).label).toBe(label))
})

describe('the values of a body', () => {
  it('have their paths, in order', () => {
    expect(
      flatValues({ cliente: { fones: ['11 95550-0142', null], 'a.b': 'x' }, ok: true, vazio: ' ' }),
    ).toEqual([
      { path: 'cliente.fones.0', text: '11 95550-0142' },
      { path: 'ok', text: 'true' },
    ])
    expect(flatValues('texto')).toEqual([])
  })

  it('are guessed by name, phone and e-mail also by form', () => {
    const body = {
      idEvento: 'b0a1',
      cliente: { nome: 'Luiz Ramos', contatos: ['(11) 95550-7788'] },
      caixa: 'luiz@example.com',
      referencia: '3308',
    }
    expect(guessMapping(flatValues(body))).toEqual({
      externalId: 'idEvento',
      name: 'cliente.nome',
      number: 'cliente.contatos.0',
      email: 'caixa',
      listing: 'referencia',
    })
    expect(guessMapping(flatValues({ telefone: 'x', outro: '11955507788' }))).toEqual({ number: 'telefone' })
    expect(guessMapping([])).toEqual({})
  })

  it('are found at their paths', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        for (const { path, text } of flatValues(body)) {
          const found = path
            .split('.')
            .reduce<unknown>((value, step) => Reflect.get(Object(value), step), body)
          expect(String(found)).toBe(text)
        }
      }),
    )
  })
})

test('text of corrected leads', () => {
  expect(mendedText({ mended: 1, spoken: 0 })).toBe('1 lead corrigido')
  expect(mendedText({ mended: 3, spoken: 2 })).toBe(
    '3 leads corrigidos; 2 ficaram como estavam: já houve conversa pelo número de antes.',
  )
})

test('texts of a test, and of bodies read again', () => {
  const reported = { name: 'Marina', number: '5511955500142', email: null, message: 'Oi', listing: '4471' }
  expect(testedText({ roleta: null, fault: null, told: reported })).toBe(
    'Lido por inteiro: nome, telefone, mensagem, código 4471',
  )
  const one = (part: object) => readText([{ id: 1, name: null, fault: null, ...part }]).text
  expect(one({ name: 'Luiz Ramos' })).toBe('Lido: Luiz Ramos')
  expect(one({ name: '5511955500142' })).toBe('Lido: (11) 95550-0142')
  expect(one({ fault: 'Sem telefone nem e-mail' })).toBe(
    'Não foi possível ler esta entrega. Sem telefone nem e-mail.',
  )
  expect(
    readText([
      { id: 1, name: 'Lia', fault: null },
      { id: 2, name: null, fault: 'x' },
    ]),
  ).toEqual({ text: '1 entrega lida, 1 ainda não.', tone: 'success' })
})

test('the server reads the pasted form unchanged, including its trap field', () => {
  const snippet = formSnippet('https://portal.example/api/leads?key=pc_x')
  expect([...snippet.matchAll(/ name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
    'nome',
    'telefone',
    'email',
    'mensagem',
    'aceite',
    'pc_confirme',
  ])
})

test('sender and receiver of a forwarded e-mail, which are the agency, are not guessed', () => {
  const body = {
    From: 'contato@imobiliaria.example',
    FromName: 'Imobiliária',
    FromFull: { Email: 'contato@imobiliaria.example', Name: 'Imobiliária' },
    ToFull: [{ Email: 'leads@inbound.example', Name: '' }],
    Subject: 'Novo contato',
    Headers: [{ Name: 'X-Spam', Value: 'nao@responda.example' }],
    ReplyTo: 'marina@example.com',
  }
  expect(guessMapping(flatValues(body))).toEqual({ email: 'ReplyTo' })
})
