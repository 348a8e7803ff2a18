// Material: what is offered first, its captions with the price's day, and the search.
import { describe, expect, test } from 'vitest'
import {
  captionsOf,
  choicesOf,
  chosenWords,
  expiredOn,
  findMaterials,
  firstChoice,
  type MaterialThing,
  stageWords,
  toThing,
} from '#domain/development/material.ts'
import { type MaterialRecord, packIndex, unpackIndex } from '#domain/development/material-index.ts'
import { renewed } from '#domain/development/renew.ts'
import { BARE_MIRANTE } from '#tests/support/make-app.ts'

const file = { width: null, height: null, addedAt: '2026-11-21T12:00:00Z', title: null, sizeBytes: 317_440 }
const photo = (id: number) => ({
  ...file,
  id,
  kind: 'foto' as const,
  mimeType: 'image/jpeg',
  fileName: 'f.jpg',
})
const paper = (id: number, kind: 'tabela' | 'book') => ({
  ...file,
  id,
  kind,
  mimeType: 'application/pdf',
  fileName: `${kind}.pdf`,
})
const MIRANTE: MaterialRecord = {
  ...BARE_MIRANTE,
  unitsAvailable: 12,
  plans: [
    {
      id: 5,
      name: '2 quartos',
      bedrooms: 2,
      suites: 1,
      parking: 2,
      areaFrom: 62.5,
      areaTo: 64,
      priceFromCents: 41_200_000,
      priceToCents: 45_000_050,
      pricedOn: '2026-11-21',
      validUntil: '2026-11-30',
      unitsLeft: 18,
      drawingId: 9,
    },
    {
      id: 6,
      name: 'Cobertura',
      bedrooms: null,
      suites: null,
      parking: null,
      areaFrom: null,
      areaTo: null,
      priceFromCents: null,
      priceToCents: null,
      pricedOn: null,
      validUntil: null,
      unitsLeft: null,
      drawingId: null,
    },
  ],
  media: [photo(11), photo(12), { ...photo(9), kind: 'planta' }, paper(7, 'book'), paper(8, 'tabela')],
}
const ACACIAS: MaterialRecord = {
  ...MIRANTE,
  id: 1,
  name: 'Jardim das Acácias',
  district: 'Vila Nova',
  latitude: null,
  longitude: null,
  license: null,
  slug: null,
  unitsAvailable: 0,
  plans: [],
  media: [],
}
const [mirante, acacias] = unpackIndex(packIndex([MIRANTE, ACACIAS]))
if (!mirante || !acacias) throw new Error('the index lost a development')
const choices = choicesOf(mirante)
const chosen = (...keys: string[]) => keys.flatMap((key) => choices.filter((choice) => choice.key === key))
const TODAY = '2026-11-29'

test('the packed index keeps everything that a card shows', () => {
  const { media: _, ...record } = MIRANTE
  expect(mirante).toEqual({
    ...record,
    photos: [
      { id: 11, title: null },
      { id: 12, title: null },
    ],
    documents: [
      { id: 7, kind: 'book', title: null, fileName: 'book.pdf', sizeBytes: 317_440, addedOn: '2026-11-21' },
      {
        id: 8,
        kind: 'tabela',
        title: null,
        fileName: 'tabela.pdf',
        sizeBytes: 317_440,
        addedOn: '2026-11-21',
      },
    ],
  })
  expect(acacias).toMatchObject({ id: 1, name: 'Jardim das Acácias', latitude: null, plans: [], photos: [] })
})

test('an index of an earlier release, which counted no units, says nothing of them', () => {
  const { available: _, ...old } = packIndex([MIRANTE, ACACIAS])
  expect(unpackIndex(old).map(({ unitsAvailable }) => unitsAvailable)).toEqual([null, null])
})

test.each([
  [null, 'Jardim Botânico · em obras · entrega mar/2028'],
  [0, 'Jardim Botânico · em obras · entrega mar/2028 · nenhuma unidade disponível'],
  [1, 'Jardim Botânico · em obras · entrega mar/2028 · 1\u00a0disponível'],
  [1_250, 'Jardim Botânico · em obras · entrega mar/2028 · 1.250\u00a0disponíveis'],
])('with %s available units the card says “%s”', (unitsAvailable, words) => {
  expect(stageWords({ ...mirante, unitsAvailable })).toBe(words)
})

describe('the card opens with', () => {
  test('cover, price table and place', () => {
    expect(firstChoice(choices, [])).toEqual(['photo 11', 'document 8', 'place'])
    expect(chosenWords(chosen('photo 11', 'document 8', 'place'))).toBe('Foto, tabela e local.')
  })
  test('what was sent of it last, as far as it exists', () => {
    expect(firstChoice(choices, ['photo 99', 'photo 12'])).toEqual(['photo 12'])
    expect(firstChoice(choicesOf(acacias), ['photo 12'])).toEqual([])
  })
})

describe('captions', () => {
  test('the first photo says name, district, price with its day, and CRECI; other photos say nothing', () => {
    expect([...captionsOf(mirante, chosen('photo 12', 'photo 11'), { today: TODAY })]).toEqual([
      [
        'photo 12',
        {
          text: 'Mirante do Lago · Jardim Botânico\na partir de R$ 412 mil\nPreço da tabela de 21/11\nCRECI 12345-J',
          price: { cents: 41_200_000, pricedOn: '2026-11-21' },
        },
      ],
    ])
  })
  test('a plan says its own facts and price', () => {
    expect(captionsOf(mirante, chosen('plan 5'), { today: TODAY }).get('plan 5')?.text).toBe(
      'Mirante do Lago · Jardim Botânico\n2 quartos · 62,5 a 64 m² · 1 suíte · 2 vagas\n' +
        'a partir de R$ 412 mil\nPreço da tabela de 21/11\nCRECI 12345-J',
    )
  })
  test('an expired price has its day, and can be left out', () => {
    const asked = chosen('photo 11', 'plan 5')
    expect(expiredOn(mirante, asked, '2026-12-01')).toBe('2026-11-30')
    expect(expiredOn(mirante, asked, TODAY)).toBeNull()
    expect(expiredOn(mirante, chosen('document 8', 'place'), '2026-12-01')).toBeNull()
    expect(captionsOf(mirante, asked, { today: '2026-12-01', withPrice: false }).get('photo 11')).toEqual({
      text: 'Mirante do Lago · Jardim Botânico\nCRECI 12345-J',
      price: null,
    })
  })
})

test('a plan without a drawing is a text; documents and places need no caption', () => {
  const given = { operationId: 'op', text: 'Legenda', preview: null, origin: 'https://casa.example' }
  const [plan, drawn, table, place] = chosen('plan 6', 'plan 5', 'document 8', 'place').toSorted(
    (a, b) =>
      ['plan 6', 'plan 5', 'document 8', 'place'].indexOf(a.key) -
      ['plan 6', 'plan 5', 'document 8', 'place'].indexOf(b.key),
  )
  expect(
    [plan, drawn, table, place].map((choice) => choice && toThing(mirante, choice, given)),
  ).toMatchObject([
    { fileId: null, content: { kind: 'text' } },
    { fileId: 9, content: { kind: 'image' } },
    { fileId: 8, content: { kind: 'document', media: { fileName: 'tabela.pdf' } } },
    { fileId: null, text: 'Estande Mirante do Lago', content: { kind: 'location' } },
  ])
})

test('a published page is a text that ends in its address', () => {
  const [page] = chosen('page')
  const given = { operationId: 'op', preview: null, origin: 'https://casa.example' }
  const thingOf = (text: string) => page && toThing(mirante, page, { ...given, text })
  expect(thingOf('')).toMatchObject({
    text: 'Mirante do Lago\nhttps://casa.example/i/mirante-do-lago',
    page: 'mirante-do-lago',
    content: { kind: 'text' },
  })
  expect(thingOf('Veja as fotos')?.text).toBe('Veja as fotos\nhttps://casa.example/i/mirante-do-lago')
  expect(choicesOf(acacias).some(({ kind }) => kind === 'page')).toBe(false)
})

describe('refused material is found anew', () => {
  const sent = (key: string, more: object = {}) => {
    const [choice] = chosen(key)
    if (!choice) throw new Error(`no choice ${key}`)
    const given = { operationId: 'op', text: 'R$ 405 mil', preview: null, origin: 'https://casa.example' }
    return { ...toThing(mirante, choice, given), ...more }
  }
  const old = { price: { cents: 40_500_000, pricedOn: '2026-11-01' } }
  const found = (thing: MaterialThing, material = mirante) => {
    const { choice, ...words } = renewed(material, thing, TODAY) ?? {}
    return choice ? { key: choice.key, ...words } : null
  }

  test('with the present price in a caption that the portal wrote, and a written one as it is', () => {
    const fresh = { price: { cents: 41_200_000, pricedOn: '2026-11-21' } }
    expect(found(sent('plan 5', old))).toMatchObject({
      key: 'plan 5',
      text: expect.stringContaining('R$ 412 mil'),
      ...fresh,
    })
    expect(found(sent('photo 12', old))).toMatchObject({ key: 'photo 12', ...fresh })
    expect(found(sent('plan 5'))).toEqual({ key: 'plan 5', text: 'R$ 405 mil', price: null })
    const expired = renewed(mirante, sent('plan 5', old), '2026-12-01')
    expect(expired?.text).not.toContain('R$')
  })

  test('a file by the newest of its kind, the place and the page as they are', () => {
    expect(found(sent('document 8', { fileId: 99 }))).toMatchObject({ key: 'document 8', text: 'R$ 405 mil' })
    expect(found(sent('photo 11', { fileId: 99 }))).toMatchObject({ key: 'photo 11' })
    expect(found(sent('place'))).toMatchObject({ key: 'place' })
    expect(found(sent('page'))).toEqual({ key: 'page', text: 'R$ 405 mil', price: null })
    expect(found(sent('plan 5', { fileId: 99, label: '3 quartos' }))).toBeNull()
  })

  test('as nothing if the record has nothing like it', () => {
    for (const key of ['photo 11', 'plan 5', 'plan 6', 'document 8', 'place', 'page'])
      expect(found(sent(key), acacias)).toBeNull()
  })
})

test.each([
  ['acacias', ['Jardim das Acácias']],
  ['JARDIM', ['Mirante do Lago', 'Jardim das Acácias']],
  ['botânico lago', ['Mirante do Lago']],
  ['sao jose vila', ['Jardim das Acácias']],
  ['lago sul', []],
  ['', ['Mirante do Lago', 'Jardim das Acácias']],
])('the search for “%s” needs no accents and all words', (typed, names) => {
  expect(findMaterials([mirante, acacias], typed).map(({ name }) => name)).toEqual(names)
})
