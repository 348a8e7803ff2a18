// {nome} filled with a first name, or left out with what leads up to it.
import { expect, it } from 'vitest'
import { fillName, firstName } from '#domain/message/placeholder.ts'

it.each([
  ['Marina Tavares', 'Marina'],
  ['  José ', 'José'],
  ['🌸 Marina', 'Marina'],
  ['~', null],
  ['+55 11 95550-0187', null],
  ['', null],
  [null, null],
])('the first name of %j is %j', (name, first) => expect(firstName(name)).toBe(first))

it.each([
  ['Oi, {nome}! Tudo bem?', 'Marina Tavares', 'Oi, Marina! Tudo bem?'],
  ['{nome}, {Nome} e {NOME}', 'Ana', 'Ana, Ana e Ana'],
  ['Oi, {nome}!', 'A$&b', 'Oi, A$&b!'],
  ['Sem nome nenhum', 'Ana', 'Sem nome nenhum'],
  ['Oi, {nome}! Tudo bem?', null, 'Oi! Tudo bem?'],
  ['Olá {nome}, posso ligar?', null, 'Olá, posso ligar?'],
  ['{nome}, tudo bem?', null, 'Tudo bem?'],
  ['{nome}', null, ''],
  ['Bom dia!\n{nome}', null, 'Bom dia!\n'],
])('%j for %j says %j', (text, name, filled) => expect(fillName(text, name)).toBe(filled))
