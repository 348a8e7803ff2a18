// The difference of two texts: it contains both completely, and marks exactly the changes.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aroundChanges, diffRows, type DiffLine, type DiffRow } from '#domain/diff.ts'

const textOf = (line: DiffLine | null) => line?.parts.map(({ text }) => text).join('')
const marked = (line: DiffLine | null) =>
  line?.parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')
/** 'before|after', with changes in brackets; '-' for a missing side. */
const shown = (rows: readonly DiffRow[]) =>
  rows.map(({ before, after }) => `${marked(before) ?? '-'}|${marked(after) ?? '-'}`)

it.each<[string, string, string[]]>([
  ['', '', []],
  ['um', 'um', ['um|um']],
  ['um\n', 'um', ['um|um']],
  ['um\r\ndois', 'um\ndois', ['um|um', 'dois|dois']],
  ['', 'novo', ['-|[novo]']],
  ['velho', '', ['[velho]|-']],
  ['a\nb\nc', 'a\nc', ['a|a', '[b]|-', 'c|c']],
  ['a\nc', 'a\nb\nc', ['a|a', '-|[b]', 'c|c']],
  ['a\n\nb', 'a\nb', ['a|a', '[]|-', 'b|b']],
  [
    'Responda em no máximo duas frases por mensagem.',
    'Responda em no máximo três frases por mensagem.',
    ['Responda em no máximo [duas] frases por mensagem.|Responda em no máximo [três] frases por mensagem.'],
  ],
  ['não prometa', 'não prometa prazo', ['não prometa|não prometa[ prazo]']],
  ['sol e mar', 'xyz w', ['[sol e mar]|[xyz w]']],
  ['a\nx\ny\nb', 'a\nz\nb', ['a|a', '[x]|[z]', '[y]|-', 'b|b']],
])('%j → %j', (before, after, rows) => {
  expect(shown(diffRows(before, after))).toEqual(rows)
})

const text = fc
  .array(fc.constantFrom('um', 'dois', 'três e mais', '', '  recuo', 'Não prometa nada.'), { maxLength: 12 })
  .map((lines) => lines.join('\n'))
const written = (value: string) => (value === '' ? [] : value.replace(/\n$/, '').split('\n'))

it('contains both texts completely, numbered from one', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const rows = diffRows(before, after)
      const left = rows.flatMap((row) => row.before ?? [])
      const right = rows.flatMap((row) => row.after ?? [])
      expect(left.map(textOf)).toEqual(written(before))
      expect(right.map(textOf)).toEqual(written(after))
      expect(left.map(({ number }) => number)).toEqual(left.map((_, index) => index + 1))
      expect(right.map(({ number }) => number)).toEqual(right.map((_, index) => index + 1))
    }),
  )
})

it('unmarked parts are equal on both sides, and a text does not differ from itself', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const stored = (side: 'before' | 'after') =>
        diffRows(before, after)
          .flatMap((row) => row[side]?.parts ?? [])
          .flatMap(({ text: piece, isChanged }) => (isChanged ? [] : piece))
          .join('')
      expect(stored('before')).toBe(stored('after'))
      expect(diffRows(before, before).some(({ isChanged }) => isChanged)).toBe(false)
    }),
  )
})

it('texts of many thousand lines are compared at their ends, and the middle counts as new', () => {
  const long = (mark: string) => [
    'primeira',
    ...Array.from({ length: 3_000 }, (_, at) => `${mark} ${at}`),
    'última',
  ]
  const rows = diffRows(long('a').join('\n'), long('b').join('\n'))
  expect(shown([rows[0]!, rows.at(-1)!])).toEqual(['primeira|primeira', 'última|última'])
  expect(rows.filter(({ isChanged }) => isChanged)).toHaveLength(3_000)
})

it('shows the changes with lines around them and counts the others', () => {
  const before = Array.from({ length: 20 }, (_, at) => `linha ${at}`)
  const after = before.with(3, 'outra').with(6, 'mais outra')
  const stretches = aroundChanges(diffRows(before.join('\n'), after.join('\n')), 2)
  expect(stretches.map((stretch) => ('rows' in stretch ? stretch.rows.length : -stretch.skipped))).toEqual([
    -1, 8, -11,
  ])
  expect(aroundChanges(diffRows('a', 'a'), 3)).toEqual([{ skipped: 1 }])
  expect(aroundChanges([], 3)).toEqual([])
})
