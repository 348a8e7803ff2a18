// What a result of the search for messages shows: the part around the first word that was found, with those words
// marked.
import { expect, test } from 'vitest'
import { excerptOf, hasWords, searchWords } from '#domain/message/found.ts'
import { conversationFileName } from '#domain/person-data.ts'

/** Marked words in brackets. */
const shown = (body: string, query: string) =>
  excerptOf(body, searchWords(query) ?? [])
    .map(({ text, isFound }) => (isFound ? `[${text}]` : text))
    .join('')

test.each([
  ['Quero visitar no Sábado.', 'sab', 'Quero visitar no [Sábado].'],
  ['Quero visitar no sa\u0301bado', 'sab vis', 'Quero [visitar] no [sa\u0301bado]'],
  ['Visita? visitar! VISITOU', 'visit', '[Visita]? [visitar]! [VISITOU]'],
  ['uma\n\n  linha  e\toutra', 'outra', 'uma linha e [outra]'],
  ['nada disso', 'visita', 'nada disso'],
  ['O dado do dia', 'dia do', 'O dado [do] [dia]'],
])('%s, by %s: %s', (body, query, expected) => {
  expect(shown(body, query)).toBe(expected)
})

test('of a long message only the part around the word, cut between words', () => {
  const body = `${'antes '.repeat(60)}varanda ${'depois '.repeat(60)}`
  const text = shown(body, 'varanda')
  expect(text).toMatch(/^….*antes \[varanda\] depois .*…$/)
  expect(text.length).toBeLessThan(220)
})

test('the excerpt of what is found marks something, whatever the words', () => {
  const words = ['sábado', 'À', 'visita', 'm²', '3ª', '850.000', 'joão@exemplo.com', 'ok👍']
  const unmarked = words.flatMap((one) =>
    words.flatMap((other) => {
      const [body, asked] = [`${one} e ${other}`, searchWords(`${one} visita`) ?? []]
      const isMarked = excerptOf(body, asked).some(({ isFound }) => isFound)
      return hasWords(body, asked) && !isMarked ? [body] : []
    }),
  )
  expect(unmarked).toEqual([])
})

test.each([
  [{ id: 7, name: 'Zuleica Prado' }, 'conversa-zuleica-prado-7.pdf'],
  [{ id: 7, name: ' Ação & Cia. / “São” ' }, 'conversa-acao-cia-sao-7.pdf'],
  [{ id: 7, name: null }, 'conversa-7.pdf'],
  [{ id: 7, name: '😀' }, 'conversa-7.pdf'],
])('the file of %o is %s', (lead, name) => {
  expect(conversationFileName(lead)).toBe(name)
})
