// Searching quick replies, also after a slash, and sorting them.
import { expect, it } from 'vitest'
import { findReplies, type QuickReply, shifted, slashQuery } from '#domain/message/quick-reply.ts'
import { table } from '#tests/support/table.ts'

const reply = (title: string, body = ''): QuickReply => ({
  id: title,
  title,
  body,
  isShared: false,
  file: null,
})
const replies = [
  reply('Agendar visita', 'Qual dia é bom?'),
  reply('Enviar localização', 'O estande fica na Rua Ipê.'),
  reply('Documentos', 'RG, CPF e renda'),
]

table('%j finds %j', (typed) => findReplies(replies, typed).map(({ title }) => title), [
  ['', ['Agendar visita', 'Enviar localização', 'Documentos']],
  ['  ', ['Agendar visita', 'Enviar localização', 'Documentos']],
  ['LOCALIZACAO', ['Enviar localização']],
  ['ipe', ['Enviar localização']],
  ['visita dia', ['Agendar visita']],
  ['dia visita', ['Agendar visita']],
  ['cpf.', []],
])

table('%j searches for %j', slashQuery, [
  ['/', ''],
  ['/vis', 'vis'],
  ['/enviar loc', 'enviar loc'],
  ['', null],
  ['sim/não', null],
  ['/a\nb', null],
  ['//', null],
  ['/obra/planta', null],
])

it.each([
  [0, 1, ['b', 'a', 'c']],
  [2, -1, ['a', 'c', 'b']],
  [0, -1, ['a', 'b', 'c']],
  [2, 1, ['a', 'b', 'c']],
] as const)('place %i moved by %i', (index, by, order) => {
  expect(shifted(['a', 'b', 'c'], index, by)).toEqual(order)
})
