// Files as lists of leads: each format's sheets of text, named refusals, and limited unpacking.
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it, test } from 'vitest'
import { guessColumns, rowReader } from '#domain/lead/list/columns.ts'
import { readRow } from '#domain/lead/list/row.ts'
import { toLeadList } from '#domain/lead/list/sheet.ts'
import { UnreadableFile } from '#features/imports/list-protocol.ts'
import { readFile } from '#features/imports/read-file.ts'
import { number, openDocument, openText, text, workbook, workbookOf } from '#tests/support/workbook.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const read = (bytes: Uint8Array, name = 'lista.xlsx') => readFile(bytes, name)
const faultOf = (bytes: Uint8Array, name?: string) =>
  read(bytes, name).then(
    () => null,
    (error: unknown) => (error instanceof UnreadableFile ? error.fault : error),
  )

/** Sets every declared unpacked size in the zip's directory to this value. */
function claiming(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array {
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < bytes.length - 4; at += 1)
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, size, true)
  return bytes
}

describe('an Excel workbook', () => {
  test('keeps a phone number stored as a number, and the results of formulas', async () => {
    const [sheet] = await read(
      workbook(
        `<row r="1">${text('A1', 'Nome')}${text('B1', 'Celular')}${text('C1', 'E-mail')}</row>` +
          `<row r="2">${text('A2', 'Sandra &amp; Rui')}${number('B2', '1.1955550148E10')}</row>` +
          `<row r="3"><c r="A3" t="str"><f>CONCATENATE("A","na")</f><v>Ana</v></c>${number('B3', '5511955550149')}${text('C3', 'ana@example.com')}</row>`,
      ),
    )
    const list = toLeadList(sheet!.lines, 0)
    const rowOf = rowReader(list.titles, guessColumns(list, true))
    expect(list.rows.map(({ cells }) => readRow(rowOf(cells)).lead)).toMatchObject([
      { name: 'Sandra & Rui', key: '+5511955550148', email: null },
      { name: 'Ana', key: '+5511955550149', email: 'ana@example.com' },
    ])
  })

  test('has all sheets, with hidden ones marked', async () => {
    const row = (value: string) => `<row r="1">${text('A1', value)}</row>`
    const sheets = await read(
      workbookOf([
        { name: 'Plantão', rows: row('um') },
        { name: 'Antigos', rows: row('dois'), state: 'hidden' },
        { name: 'Macro', rows: row('três'), state: 'veryHidden' },
      ]),
    )
    expect(sheets).toEqual([
      { name: 'Plantão', isHidden: false, isCards: false, lines: [['um']] },
      { name: 'Antigos', isHidden: true, isCards: false, lines: [['dois']] },
      { name: 'Macro', isHidden: true, isCards: false, lines: [['três']] },
    ])
  })

  test('with too large a declared size is not unpacked; pictures do not count', async () => {
    const row = `<row r="1">${text('A1', 'Ana')}</row>`
    expect(await faultOf(claiming(workbook(row, { 'xl/more.xml': strToU8('x') }), 60 * 1024 * 1024))).toBe(
      'unpacked',
    )
    const huge = new Uint8Array(2 * 1024 * 1024)
    const [sheet] = await read(workbook(row, { 'xl/media/image1.png': huge }))
    expect(sheet!.lines).toEqual([['Ana']])
  })

  test('with a false declared size is cut off and refused', async () => {
    const bytes = workbook(`<row r="1">${text('A1', 'Ana'.repeat(1_000))}</row>`)
    expect(await faultOf(claiming(bytes, 10))).toBe('broken')
  })

  test('with few cells far apart is refused before the gap is filled', async () => {
    const far = (last: string) =>
      workbook(`<row r="1">${text('A1', 'Ana')}${number('XFD1', '1')}</row>${last}`)
    const row = (cells: string) => `<row r="1048576" ht="15">${cells}</row>`
    for (const cells of [number('A1048576', '1'), '<c><v>1</v></c>'])
      expect(await faultOf(far(row(cells)))).toBe('far')
    // A row with only a height is empty.
    expect((await read(far('<row r="1048576" ht="15"/>')))[0]!.lines).toHaveLength(1)
  })
})

describe('an OpenDocument sheet', () => {
  const titles = `<table:table-row>${['Nome', 'Telefone', 'Obs'].map(openText).join('')}</table:table-row>`

  test('has its rows without the million empty ones after them, with spaces, line breaks and whole numbers', async () => {
    const sheets = await read(
      openDocument([
        {
          name: 'Plantão &amp; stand',
          rows:
            `<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>${titles}` +
            `<table:table-row>${openText('Ana <text:span>da</text:span><text:s text:c="1"/>Silva &amp; filhos')}<table:table-cell office:value-type="float" office:value="11955550148"><text:p>1,196E+10</text:p></table:table-cell>${openText('um</text:p><text:p>dois')}</table:table-row>` +
            '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>',
        },
        { name: 'Antigos', rows: titles, isHidden: true },
      ]),
      'lista.ods',
    )
    expect(sheets.map(({ name, isHidden }) => [name, isHidden])).toEqual([
      ['Plantão & stand', false],
      ['Antigos', true],
    ])
    expect(sheets[0]!.lines.filter((cells) => cells.length > 0)).toEqual([
      ['Nome', 'Telefone', 'Obs'],
      ['Ana da Silva & filhos', '11955550148', 'um\ndois'],
    ])
  })

  test('with a password is reported as such', async () => {
    const locked = openDocument([{ name: 'A', rows: titles }], '<manifest:encryption-data/>')
    expect(await faultOf(locked)).toBe('protected')
  })
})

describe('unreadable formats are named', () => {
  const compound = (...streams: string[]) =>
    Uint8Array.from([
      0xd0,
      0xcf,
      0x11,
      0xe0,
      ...streams.flatMap((name) => Array.from(name).flatMap((letter) => [letter.charCodeAt(0), 0])),
    ])
  it.each([
    ['the Excel of before 2007', compound('Root Entry', 'Workbook'), 'velha.xls', 'xls'],
    ['an Excel with a password', compound('EncryptionInfo', 'EncryptedPackage'), 'lista.xlsx', 'protected'],
    ['a binary workbook', zipSync({ 'xl/workbook.bin': strToU8('x') }), 'lista.xlsb', 'xls'],
    ['Numbers', zipSync({ 'Index/Document.iwa': strToU8('x'), 'Metadata/Properties.plist': strToU8('x') }), 'lista.numbers', 'numbers'],
    ['another packed file', zipSync({ 'word/document.xml': strToU8('oi') }), 'carta.docx', 'kind'],
    ['a page with the name of a workbook', strToU8('<html><table><tr><td>Ana</td></tr></table></html>'), 'relatorio.xls', 'page'],
    ['a workbook as XML of 2003', strToU8('<?xml version="1.0"?><Workbook/>'), 'relatorio.xls', 'page'],
    ['a PDF', strToU8('%PDF-1.7\n1 0 obj'), 'lista.pdf', 'kind'],
    ['a picture', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), 'foto.png', 'kind'],
    ['a text with the name of a workbook', strToU8('isto não é uma planilha'), 'lista.xlsx', 'kind'],
    ['half a packed file', Uint8Array.from([0x50, 0x4b, 3, 4, 0]), 'lista.xlsx', 'broken'],
  ])('%s', async (_, bytes, name, fault) => expect(await faultOf(bytes, name)).toBe(fault)) // prettier-ignore
})

test('a text with a single NUL is read without it', async () => {
  const [sheet] = await read(
    strToU8(`Nome;Telefone\n${'Ana;11955550148\n'.repeat(20)}Co\0ra;11955550149\n`),
    'a.csv',
  )
  expect(sheet!.lines.at(-1)).toEqual(['Cora', '11955550149'])
})

describe('for any bytes a reader returns sheets or a known error', () => {
  const expectEnd = async (bytes: Uint8Array, name: string) => {
    const fault = await faultOf(bytes, name)
    expect(fault === null || typeof fault === 'string').toBe(true)
  }
  const good = {
    xlsx: workbookOf([{ name: 'A', rows: `<row r="1">${text('A1', 'Nome')}${number('B1', '1')}</row>` }]),
    ods: openDocument([{ name: 'A', rows: `<table:table-row>${openText('Nome')}</table:table-row>` }]),
    vcf: strToU8(
      'BEGIN:VCARD\r\nVERSION:2.1\r\nFN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:S=C3=A3o=\r\n=20Jo\r\nTEL;CELL:11 95555-0148\r\nEND:VCARD\r\n',
    ),
    csv: strToU8('Nome;Telefone\r\n"Ana ""A""";11 95555-0148\r\n'),
  }
  it.each(Object.entries(good))('%s with bytes changed, cut and inserted', async (kind, bytes) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat(bytes.length - 1), value: fc.nat(255) }), { maxLength: 12 }),
        fc.nat(bytes.length),
        async (changes, length) => {
          const changed = bytes.slice()
          for (const { at, value } of changes) changed[at] = value
          await expectEnd(changed.slice(0, Math.max(length, 4)), `lista.${kind}`)
        },
      ),
      { numRuns: byTier(50, 150) },
    )
  })
  test('random XML of sheets', async () => {
    const piece = fc.constantFrom(
      '<row r="1">', '</row>', '<c r="A1">', '<c r="ZZZ9">', '<c t="s"><v>9</v></c>', '<v>1e400</v>', '</c>', '<row r="-5"/>', '<is><t>x', ']]>', '&#0;', '<!--',
    ) // prettier-ignore
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) =>
        expectEnd(workbook(pieces.join('')), 'lista.xlsx'),
      ),
      { numRuns: byTier(50, 150) },
    )
  })
  test('random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 600 }),
        fc.constantFrom('a.csv', 'a.xlsx', 'a.ods', 'a.vcf'),
        async (bytes, name) => expectEnd(bytes, name),
      ),
      { numRuns: byTier(60, 200) },
    )
  })
})
