// {nome} filled with what a person is called, or left out with what leads up to it.
import { expect, it } from 'vitest'
import { callName } from '#domain/message/call-name.ts'
import { fillName } from '#domain/message/placeholder.ts'
import { table } from '#tests/support/table.ts'

table('what %j is called: %j', callName, [
  ['Marina Tavares', 'Marina'],
  ['  José ', 'José'],
  ['🌸 Marina', 'Marina'],
  ['Marina (indicação)', 'Marina'],
  ['Ana Clara Souza', 'Ana'],
  ['Dr. Paulo Menezes', 'Dr. Paulo'],
  ['Dra Lívia', 'Dra Lívia'],
  ['Prof. Dr. João', 'Prof. Dr. João'],
  ['D. Maria das Dores', 'D. Maria'],
  ['Seu Jorge', 'Seu Jorge'],
  ['De Paula', 'De Paula'],
  ['J. Carlos Lima', 'J. Carlos'],
  ['Maria da Loja', 'Maria'],
  ['Construtora Alfa', 'Construtora Alfa'],
  ['Tavares Imóveis', 'Tavares Imóveis'],
  ['Alfa Engenharia Ltda.', 'Alfa Engenharia Ltda.'],
  ['王芳', '王芳'],
  ['Dr.', null],
  ['M', null],
  ['kkkk', null],
  ['Lead 412', null],
  ['marina2024', null],
  ['ana@exemplo.com.br', null],
  ['www.exemplo.com', null],
  ['~', null],
  ['+55 11 95550-0187', null],
  ['', null],
  [null, null],
])

it.each([
  ['Oi, {nome}! Tudo bem?', 'Marina Tavares', 'Oi, Marina! Tudo bem?'],
  ['{nome}, {Nome} e {NOME}', 'Ana', 'Ana, Ana e Ana'],
  ['Oi, {nome}!', 'A$&b', 'Oi, A$&b!'],
  ['Sem nome nenhum', 'Ana', 'Sem nome nenhum'],
  ['Oi, {nome}! Tudo bem?', 'Dr. Paulo Menezes', 'Oi, Dr. Paulo! Tudo bem?'],
  ['Oi, {nome}! Tudo bem?', 'Dr.', 'Oi! Tudo bem?'],
  ['Oi, {nome}! Tudo bem?', null, 'Oi! Tudo bem?'],
  ['Olá {nome}, posso ligar?', null, 'Olá, posso ligar?'],
  ['{nome}, tudo bem?', null, 'Tudo bem?'],
  ['{nome}', null, ''],
  ['Bom dia!\n{nome}', null, 'Bom dia!\n'],
])('%j for %j becomes %j', (text, name, filled) => expect(fillName(text, name)).toBe(filled))
