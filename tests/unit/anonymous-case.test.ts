// What remains of a person when a conversation becomes a test.
import { expect, test } from 'vitest'
import { toAnonymousCase } from '#server/agents/bench/anonymous-case.ts'

const textOf = (text: string, name: string | null) =>
  toAnonymousCase([{ by: 'lead', text, kind: 'text' }], name).lines[0]!.text

test.each([
  ['Oi, sou a Marina', 'Marina Tavares', 'Oi, sou a [nome]'],
  ['MARINA DE SÁ TAVARES aqui', 'Marina de Sá Tavares', '[nome] aqui'],
  ['Marina ou Tavares', 'Marina Tavares', '[nome] ou [nome]'],
  ['Márina e marína', 'Marina', '[nome] e [nome]'],
  ['Marinas não são Marina', 'Marina', 'Marinas não são [nome]'],
  ['É de lá', 'Jô de Sá', 'É de lá'],
  ['Me liga no 11 95550-0142 ou a@b.com', null, 'Me liga no [telefone 2] ou [e-mail 1]'],
  ['[nome] escrito por alguém', 'Ana', '[nome] escrito por alguém'],
])('%s of %s is stored as %s', (text, name, stored) => {
  expect(textOf(text, name)).toBe(stored)
})

test("its title is the lead's last question, in one line of eighty letters", () => {
  const lines = [
    { by: 'lead', text: 'Antes' },
    { by: 'lead', text: `Quanto\n custa ${'muito '.repeat(20)}` },
    { by: 'lead', text: ' ', kind: 'audio' },
    { by: 'agent', text: 'Depois' },
  ] as const
  const { title } = toAnonymousCase(lines, null)
  expect(title).toMatch(/^Quanto custa muito.*…$/)
  expect(title.length).toBeLessThanOrEqual(80)
  expect(toAnonymousCase(lines.slice(2), null).title).toBe('Sem palavras')
  const long = toAnonymousCase([{ by: 'lead', text: `${'x'.repeat(78)}😀😀` }], null).title
  expect(long).toBe(`${'x'.repeat(78)}…`)
})
