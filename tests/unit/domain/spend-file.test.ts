// Reading spend from files of Meta, Google and spreadsheets: encoding, titles, numbers, months, totals.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { decodeText } from '#domain/lead/list/read-csv.ts'
import { decimalOf, readAmount, toCents } from '#domain/origins/amounts.ts'
import { readDay, readMonth, readPeriod } from '#domain/origins/months.ts'
import { readSpendFile, type SpendFile } from '#domain/origins/spend-file.ts'

function read(text: string, decimal?: ',' | '.'): SpendFile {
  const file = readSpendFile(text, decimal)
  if ('fault' in file) throw new Error(file.fault)
  return file
}
const faultOf = (text: string) => {
  const file = readSpendFile(text)
  return 'fault' in file ? file.fault : null
}
const shown = (file: SpendFile) =>
  file.lines.map(({ campaign, month, cents }) => `${month} ${campaign} ${cents}`)

describe('Meta', () => {
  const titles =
    'Nome da campanha,Veiculação,Alcance,Valor usado (BRL),Início dos relatórios,Término dos relatórios'

  test('a month of campaigns, the totals before them', () => {
    const file = read(
      `\uFEFF${titles}\n,,"9,870",310.55,2026-08-01,2026-08-31\n"Torre Sul, 3 dorms",active,9000,210.5,2026-08-01,2026-08-31\n` +
        'Parque,off,870,100.05,2026-08-01,2026-08-31\nParada,off,0,,2026-08-01,2026-08-31\n',
    )
    expect(file).toMatchObject({
      kind: 'meta',
      separator: ',',
      headerLine: 1,
      decimal: '.',
      total: 31_055,
      refused: [],
    })
    expect(file.skipped).toEqual([{ line: 2, why: 'total' }, { line: 5, why: 'empty' }]) // prettier-ignore
    expect(shown(file)).toEqual(['2026-08 Torre Sul, 3 dorms 21050', '2026-08 Parque 10005'])
    expect(file.lines[0]).toMatchObject({ origin: 'meta', currency: 'BRL', campaignId: null })
  })

  test('days and sets of ads add up exactly, and are rounded once; campaigns of one name keep apart by number', () => {
    const file = read(
      'Dia,ID da campanha,Nome da campanha,Impressões,Valor gasto (BRL)\n' +
        '2026-07-31,120999000000000011,Torre,"3.001","10,004"\n2026-08-01,120999000000000011,Torre,"1.001","2,003"\n' +
        '2026-08-02,120999000000000011,Torre,"900","2,002"\n2026-08-02,120999000000000022,Torre,"12","1.250"\n' +
        '2026-08-03,120999000000000022,Torre,"12","0,005"\n',
    )
    expect(file.decimal).toBe(',')
    expect(file.lines).toEqual(
      [
        ['120999000000000011', '2026-07', 1_000],
        ['120999000000000011', '2026-08', 401],
        ['120999000000000022', '2026-08', 125_001],
      ].map(([campaignId, month, cents]) => ({
        origin: 'meta',
        campaign: 'Torre',
        campaignId,
        month,
        currency: 'BRL',
        cents,
      })),
    )
  })

  test('a period of several months without days is refused, the rest read', () => {
    const file = read(
      `${titles}\nLonga,on,1,10.50,2026-07-20,2026-08-02\nCurta,on,1,7,2026-08-01,2026-08-02\nSem data,on,1,7,,\n`,
    )
    expect(shown(file)).toEqual(['2026-08 Curta 700'])
    expect(file.refused.map(({ line, why }) => [line, why])).toEqual([[2, 'months'], [4, 'month']]) // prettier-ignore
  })

  test('other currencies are read as such', () => {
    const file = read(
      'Reporting starts,Reporting ends,Campaign name,Amount spent (EUR)\n2026-08-01,2026-08-31,Abroad,"1,234.5"\n',
    )
    expect(file.lines).toMatchObject([{ currency: 'EUR', cents: 123_450, month: '2026-08' }])
  })
})

describe('Google', () => {
  const portuguese =
    'Relatório da campanha\r\n1 de agosto de 2026 - 31 de agosto de 2026\r\n' +
    'Campanha\tCódigo da campanha\tCódigo da moeda\tCusto\tImpr.\r\n' +
    '"Marca ""forte"""\t777000001\tBRL\t2.345,67\t10.000\r\nDisplay\t777000002\tBRL\t --\t12\r\n' +
    'Total: Campanhas\t --\tBRL\t2.345,67\t10.012\r\nTotal: Conta\t --\tBRL\t2.400,00\t11.000\r\n'

  test('UTF-16 with tabs and title lines: the month stands above', () => {
    const bytes = new Uint8Array(
      Uint16Array.from(`\uFEFF${portuguese}`, (letter) => letter.charCodeAt(0)).buffer,
    )
    const file = read(decodeText(bytes))
    expect(file).toMatchObject({
      kind: 'google',
      separator: '\t',
      headerLine: 3,
      decimal: ',',
      total: 234_567,
    })
    expect(file.lines).toEqual([
      {
        origin: 'google',
        campaign: 'Marca "forte"',
        campaignId: '777000001',
        month: '2026-08',
        currency: 'BRL',
        cents: 234_567,
      },
    ])
    expect(file.skipped.map(({ line, why }) => `${line} ${why}`)).toEqual(['5 empty', '6 total', '7 total'])
  })

  test('saved again by a Brazilian spreadsheet', () => {
    const text =
      'Relatório;;\r\n01/08/2026 - 31/08/2026;;\r\nCampanha;Código da moeda;Custo\r\n"Locação; loja";BRL;1.020,5\r\nTotal: Campanhas;BRL;1.020,50\r\n'
    const file = read(decodeText(Uint8Array.from(text, (letter) => letter.charCodeAt(0))))
    expect(file).toMatchObject({ separator: ';', headerLine: 3, total: 102_050 })
    expect(shown(file)).toEqual(['2026-08 Locação; loja 102050'])
  })

  test('days in English; a long number that a spreadsheet broke is no number', () => {
    const file = read(
      'Report\n"August 1, 2026 - September 2, 2026"\nDay,Campaign,Campaign ID,Cost\n"Aug 31, 2026",A,1.2E+17,"1,000.50"\n2026-09-02,A,1.2E+17,3\n',
    )
    expect(file.lines).toMatchObject([
      { campaignId: null, month: '2026-08', cents: 100_050, currency: 'BRL' },
      { month: '2026-09', cents: 300 },
    ])
  })

  test('two months above the titles, and no days: every line is refused', () => {
    const file = read('Report\n"August 1, 2026 - September 2, 2026"\nCampaign,Cost\nA,3.10\n')
    expect(file.lines).toEqual([])
    expect(file.refused).toMatchObject([{ line: 4, why: 'months' }])
  })
})

describe('our own', () => {
  test('mes;origem;campanha;gasto', () => {
    const file = read(
      'mes;origem;campanha;gasto\n2026-08;Meta;Torre;1.234,56\n08/2026;Zap;;R$ 900\nago/2026;Site;Blog;0\n',
    )
    expect(file).toMatchObject({ kind: 'own', decimal: ',', total: null })
    expect(file.lines.map(({ origin, campaign, cents }) => [origin, campaign, cents])).toEqual([
      ['meta', 'Torre', 123_456],
      ['zap', '', 90_000],
      ['site', 'Blog', 0],
    ])
  })

  test.each([
    ['2026-13;meta;A;1,50', 'month'],
    ['2026-08;;A;1,50', 'origin'],
    ['2026-08;meta;A;dez', 'amount'],
    ['2026-08;meta;A;-3,50', 'amount'],
    ['2026-08;meta;A;9999999999,00', 'large'],
  ])('%s is refused: %s', (row, why) => {
    const file = read(`mes;origem;campanha;gasto\n${row}\n2026-08;meta;B;2,50\n`)
    expect(file.refused).toMatchObject([{ line: 2, why }])
    expect(shown(file)).toEqual(['2026-08 B 250'])
  })
})

describe('files that are none', () => {
  it.each([
    ['', 'header'],
    ['Nome;Telefone\nAna;11', 'header'],
    ['Campanha;Leads\nA;1', 'header'],
    ['mes;origem;campanha;gasto\n', 'empty'],
    ['mes;origem;campanha;gasto\n2026-08;meta;A;1.234', 'decimal'],
    ['mes;origem;campanha;gasto\n2026-08;meta;A;1,5\n2026-08;meta;B;1.5', 'decimal'],
    [
      `mes;origem;campanha;gasto\n${Array.from({ length: 2_001 }, (_, n) => `2026-08;meta;C${n};1\n`).join('')}`,
      'lines',
    ],
  ])('%#', (text, fault) => expect(faultOf(text)).toBe(fault))

  test('the person may say how numbers are written', () => {
    const text = 'mes;origem;campanha;gasto\n2026-08;meta;A;1.234\n'
    expect(read(text, ',').lines[0]?.cents).toBe(123_400)
    expect(read(text, '.').lines[0]?.cents).toBe(123)
  })

  test('no text makes the reader fail, and every line is counted once', () => {
    const cell = fc.constantFrom(
      '',
      'Campanha',
      'Custo',
      'Total: x',
      '1,50',
      '1.234',
      '2026-08-01',
      '"',
      'BRL',
      '--',
      'A;B',
    )
    const rows = fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 8 })
    fc.assert(
      fc.property(rows, (lines) => {
        const file = readSpendFile(`Campanha;Custo;Dia\n${lines.map((cells) => cells.join(';')).join('\n')}`)
        if ('fault' in file) return
        const places = [...file.skipped, ...file.refused].map(({ line }) => line)
        expect(new Set(places).size).toBe(places.length)
        for (const { cents } of file.lines) expect(Number.isSafeInteger(cents)).toBe(true)
      }),
    )
  })
})

describe('amounts', () => {
  it.each([
    [['1.234,5'], ','],
    [['1.234.567'], ','],
    [['1,234.5'], '.'],
    [['1,234,567'], '.'],
    [['12.50', '1.234'], '.'],
    [['0.125'], '.'],
    [['1234.567'], '.'],
    [['1.234'], 'unclear'],
    [['1.234', '5,678'], 'unclear'],
    [['1,5', '1.5'], 'unclear'],
    [['1234', '--', 'texto', ''], null],
  ] as const)('%j: %s', (cells, decimal) => expect(decimalOf(cells)).toBe(decimal))

  test('every amount of cents is read back, in both styles', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (cents) => {
        for (const [locale, decimal] of [
          ['pt-BR', ','],
          ['en-US', '.'],
        ] as const) {
          // prettier-ignore
          const text = (cents / 100).toLocaleString(locale, { minimumFractionDigits: 2 })
          expect(toCents(readAmount(text, decimal)!)).toBe(cents)
          expect(readAmount(`R$ ${text}`, decimal)).toBe(BigInt(cents) * 10_000n)
        }
      }),
    )
  })

  it.each(['1.23', '1.2345', '12,', ',5', '1..2', '1 000', '1e3', '12.345.6'])(
    '%s with a decimal comma is no amount',
    (text) => expect(readAmount(text, ',')).toBeUndefined(),
  )
})

describe('months', () => {
  it.each([
    ['2026-10-05', '2026-10'],
    ['05/10/2026', '2026-10'],
    ['5 de out. de 2026', '2026-10'],
    ['1º de março de 2026', '2026-03'],
    ['Oct 5, 2026', '2026-10'],
    ['February 28, 2026', '2026-02'],
    ['2026-02-30', null],
    ['31/02/2026', null],
    ['1999-10-05', null],
    ['5 de foo de 2026', null],
    ['ontem', null],
  ])('the day %s: %s', (text, month) => expect(readDay(text)).toBe(month))

  it.each([
    ['2026-9', '2026-09'],
    ['09/2026', '2026-09'],
    ['setembro de 2026', '2026-09'],
    ['set/2026', '2026-09'],
    ['Sep 2026', '2026-09'],
    ['2026-00', null],
    ['13/2026', null],
  ])('the month %s: %s', (text, month) => expect(readMonth(text)).toBe(month))

  it.each([
    ['1 de outubro de 2026 - 31 de outubro de 2026', '2026-10'],
    ['October 1, 2026 – October 31, 2026', '2026-10'],
    ['2026-10-01 a 2026-11-01', 'long'],
    ['Relatório da campanha', null],
    ['a - b - c', null],
  ])('the period %s: %s', (text, month) => expect(readPeriod(text)).toBe(month))
})
