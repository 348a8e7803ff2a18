// Files that Excel in Portuguese opens correctly.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cell, toCsv, withoutFormulas } from '#domain/csv.ts'
import { table } from '#tests/support/table.ts'

const line = (...cells: Cell[]) => toCsv(['A'], [cells]).split('\r\n')[1]

table('of %j nothing runs as a formula', withoutFormulas, [
  ['a,b\n1,x', 'a,b\n1,x'],
  ['=1+1,+55 11,-2,@a\n-5,-5.5,"=A1,""x""",', `'=1+1,'+55 11,-2,'@a\n-5,-5.5,"'=A1,""x""",`],
  ['-5+cmd,"linha\n=2",\t=3', `'-5+cmd,"linha\n=2",'\t=3`],
  ['', ''],
])

describe('toCsv', () => {
  it('begins with a byte order mark and its header, with CRLF line ends', () => {
    expect(toCsv(['NOME', 'DATA'], [['Ana', '21/11/2026']])).toBe('\uFEFFNOME;DATA\r\nAna;21/11/2026\r\n')
  })

  table('writes %j as %j', line, [
    ['a;b', '"a;b"'],
    ['diz "oi"', '"diz ""oi"""'],
    ['duas\nlinhas', '"duas\nlinhas"'],
    ['São José', 'São José'],
    ['', ''],
    [null, ''],
    [3, '3'],
    [12.5, '12,5'],
    [-4, '-4'],
  ])

  it.each([
    '=1+1',
    '+5511999990000',
    '-2',
    '@SOMA(A1)',
    '\tx',
    '\n=1+1',
    '＝1+1',
    '＠a',
    '=HYPERLINK("http://a";"b")',
  ])('shows %j instead of calculating it', (value) => expect(toCsv(null, [[value]])).toMatch(/^"?'/))

  it('keeps the number of cells whatever their content', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 6 }), (cells) => {
        const bare = toCsv([], [cells])
          .slice(1)
          .replace(/"(?:[^"]|"")*"/g, '')
        expect(bare.split(';')).toHaveLength(cells.length)
      }),
    )
  })
})
