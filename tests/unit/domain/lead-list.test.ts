// Lists of leads in files: encodings, separators, columns, and each row as a lead or why it is none.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { toCsv } from '#domain/csv.ts'
import { guessColumns, rowReader } from '#domain/lead/list/columns.ts'
import type { ListRow } from '#domain/lead/list/fields.ts'
import { decodeText, readCsv } from '#domain/lead/list/read-csv.ts'
import { readRow } from '#domain/lead/list/row.ts'
import { findHeader, toLeadList } from '#domain/lead/list/sheet.ts'

/** Each row as it would be imported. */
function leadsOf(lines: readonly (readonly string[])[]) {
  const header = findHeader(lines)
  const list = toLeadList(lines, header)
  const read = rowReader(list.titles, guessColumns(list, header !== null))
  return list.rows.map(({ cells }) => readRow(read(cells)).lead)
}

describe('encodings', () => {
  const text = 'Nome;São João;Conceição'
  it.each([
    ['UTF-8', new TextEncoder().encode(text)],
    ['UTF-8 with a mark', new TextEncoder().encode(`\uFEFF${text}`)],
    ['Latin-1', Uint8Array.from(text, (letter) => letter.charCodeAt(0))],
    ['UTF-16', new Uint8Array(Uint16Array.from(`\uFEFF${text}`, (letter) => letter.charCodeAt(0)).buffer)],
  ])('%s reads the same', (_, bytes) => expect(decodeText(bytes)).toBe(text))
})

describe('readCsv', () => {
  it.each([
    ['a;b\r\n1;2\r\n', [['a', 'b'], ['1', '2']]],
    ['a,b\n"1,5",2', [['a', 'b'], ['1,5', '2']]],
    ['a\tb\r1\t2', [['a', 'b'], ['1', '2']]],
    ['sep=|\r\na|b', [[], ['a', 'b']]],
    ['a;"duas\nlinhas; e ""aspas"""\n;', [['a', 'duas\nlinhas; e "aspas"'], ['', '']]],
    ['a;b\n="0119";=1+1', [['a', 'b'], ['0119', '=1+1']]],
    ['a;b\n\n"x" y;z', [['a', 'b'], [''], ['x y', 'z']]],
    ['a;"nunca fecha\nb', [['a', 'nunca fecha\nb']]],
    ['', []],
  ])('%j', (text, rows) => expect(readCsv(text)).toEqual(rows)) // prettier-ignore

  test('ends for every input, and loses no letter', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const stored = (all: string) => all.replace(/[\s";,|=]|sep=.\r?\n/g, '').length
        expect(stored(readCsv(text).flat().join(''))).toBeLessThanOrEqual(stored(text))
      }),
    )
  })

  test('20 MB are read in time, and so is a file of one endless line', () => {
    const row = 'Sandra Lemos;(11) 90555-0148;sandra@example.com;Vista Serrana;Feirão de novembro\r\n'
    expect(readCsv(row.repeat(50_000)).length).toBe(50_000)
    expect(readCsv(';'.repeat(1_000_000))[0]?.length).toBe(1_000_001)
  })
})

describe('columns', () => {
  test("our own files' protection against formulas is removed", () => {
    const file = toCsv(
      ['Nome', 'Telefone', 'Observação'],
      [
        ['=1+1', '+351 912 345 678', '- liga à noite'],
        ["D'Ávila", '(11) 95555-0148', '@ana'],
      ],
    )
    expect(leadsOf(readCsv(decodeText(new TextEncoder().encode(file))))).toMatchObject([
      { name: '=1+1', number: '+351912345678', note: '- liga à noite' },
      { name: "D'Ávila", number: '5511955550148', note: '@ana' },
    ])
  })

  test("without a header are named by letters, and rows keep the file's line number", () => {
    const list = toLeadList([['', ''], ['Ana', '(11) 95555-0148'], [''], ['Rui', '(11) 95555-0149']], null)
    expect(list.titles).toEqual(['Coluna A', 'Coluna B'])
    expect(list.rows.map(({ place }) => place)).toEqual([2, 4])
  })

  test('may be 300', () => {
    const titles = Array.from({ length: 300 }, (_, n) => (n === 299 ? 'Telefone' : ''))
    const list = toLeadList([titles, titles.map((_, n) => (n === 299 ? '11955550148' : 'x'))], 0)
    expect([list.titles[26], list.titles[299]]).toEqual(['Coluna AA', 'Telefone'])
    expect(rowReader(list.titles, guessColumns(list, true))(list.rows[0]!.cells)).toEqual({
      phone: '11955550148',
    })
  })

  test('a chosen area code is added only to phones without one', () => {
    const read = rowReader(['Telefone'], ['phone'], { areaCode: '11' })
    expect(['95555-0148', '3222-0148', '(21) 95555-0148', '+351 912 345 678'].map((cell) => read([cell]).phone)).toEqual([
      '(11) 95555-0148', '(11) 3222-0148', '(21) 95555-0148', '+351 912 345 678',
    ]) // prettier-ignore
  })
})

describe('a row', () => {
  const read = (row: ListRow) => readRow(row)
  it.each([
    ['(11) 90555-0148', '5511905550148'],
    ['11905550148.0', '5511905550148'],
    ['011 90555-0148', '5511905550148'],
    ['0055 11 90555 0148', '5511905550148'],
    ['11 3333-4444 / 11 90555-0148', '5511905550148'],
    ['+351 912 345 678', '+351912345678'],
    ['1.1905550148E+10', '5511905550148'],
  ])('with the phone %j has the number %s', (phone, number) =>
    expect(read({ phone }).lead?.number).toBe(number),
  )

  it.each([
    [{}, 'no-contact'],
    [{ name: 'Ana' }, 'no-contact'],
    [{ phone: '95555-0142' }, 'half-phone'],
    [{ phone: '1,19055E+10' }, 'cut-phone'],
    [{ phone: '1.1905E+10' }, 'cut-phone'],
    [{ phone: '0800 591 0142' }, 'service-phone'],
    [{ phone: 'não tem' }, 'bad-phone'],
    [{ phone: '00000000000' }, 'bad-phone'],
    [{ phone: '351912345678901' }, 'bad-phone'],
    [{ email: 'sem arroba' }, 'no-contact'],
    [{ name: 'Nome', phone: 'Telefone' }, 'titles'],
    [{ name: 'Nome do cliente', phone: 'Celular', email: 'E-mail' }, 'titles'],
    [{ name: '<test lead: dummy data for full_name>', email: 'test@fb.com' }, 'test'],
    [{ phone: 'p:<test lead: dummy data for phone_number>', email: 'test@fb.com' }, 'test'],
  ] as const)('%j is refused: %s', (row, fault) => expect(read(row)).toEqual({ lead: null, fault }))

  test('uses the other phone if the first is invalid', () => {
    expect(read({ phone: 'x', otherPhone: '11905550148' }).lead?.number).toBe('5511905550148')
  })

  test('with only an e-mail is a lead; an invalid e-mail or phone goes into the note', () => {
    expect(read({ email: 'Ana@Example.com', phone: '5555' }).lead).toMatchObject({
      number: null, key: null, email: 'ana@example.com', note: 'Telefone na lista: 5555',
    }) // prettier-ignore
    expect(read({ email: 'ana arroba', phone: '11905550148', note: 'Varanda' }).lead).toMatchObject({
      email: null, note: 'Varanda\nE-mail na lista: ana arroba',
    }) // prettier-ignore
  })

  test('with several e-mails uses the first, and notes the others; with several phones keeps all', () => {
    expect(read({ email: 'Ana@example.com; bia@example.com, ana@example.com' }).lead).toMatchObject({
      email: 'ana@example.com', note: 'Outro e-mail: bia@example.com',
    }) // prettier-ignore
    expect(read({ phone: '(11) 3222-0142 / 11 95555-0142 (recado com Ana)', otherPhone: '11 95555-0143' }).lead).toMatchObject({
      number: '5511955550142', numbers: ['5511955550143', '551132220142'], note: expect.stringContaining('recado com Ana'),
    }) // prettier-ignore
  })

  test('keeps its stage, unless that only says that it is a lead', () => {
    const stages = ['Proposta', 'Novo', 'Contato inicial', 'Sem contato', 'CREATED', 'Visita agendada']
    expect(stages.map((stage) => read({ phone: '11955550142', stage }).lead?.stage)).toEqual([
      'Proposta', null, null, null, null, 'Visita agendada',
    ]) // prettier-ignore
  })

  test('cuts long text, and accepts any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 9_000, unit: 'binary' }), (text) => {
        const { lead } = read({
          phone: '11905550148',
          name: text,
          development: text,
          source: text,
          note: text,
        })
        expect(lead).not.toBeNull()
        expect(lead?.name?.length ?? 0).toBeLessThanOrEqual(200)
        expect(lead?.development?.length ?? 0).toBeLessThanOrEqual(120)
        expect(lead?.source ?? 'a').toMatch(/^[a-z0-9-]{1,60}$/)
        expect(JSON.stringify(lead)).not.toContain('\\u0000')
      }),
    )
  })
})

test('two columns of phones are both read, whatever their titles', () => {
  for (const second of ['Celular', 'Telefone'])
    expect(
      leadsOf([
        ['Nome', 'Telefone', second],
        ['Ana', '(11) 3555-0001', '(11) 95555-0001'],
        ['Bia', '', '11955550002'],
      ]),
    ).toMatchObject([
      { number: '5511955550001', numbers: ['551135550001'] },
      { number: '5511955550002', numbers: [] },
    ])
})

test('a long cell is cut between letters', () => {
  const { lead } = readRow({
    phone: '11 95550-0142',
    note: `${'x'.repeat(3_999)}😀`,
    campaign: `${'x'.repeat(199)}😀`,
  })
  expect(JSON.stringify(lead)).not.toContain(String.raw`\ud83d`)
})
