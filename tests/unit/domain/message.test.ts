// A message's short text, and which parts of a text are links.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { messageSummary, textPieces } from '#domain/message/message.ts'
import { startCpuTimer } from '#tests/support/cpu-time.ts'
import { table } from '#tests/support/table.ts'

const links = (text: string) => textPieces(text).flatMap(({ href }) => href ?? [])

table('%s links to %j', links, [
  ['veja https://exemplo.com.br/a?b=1&c=2.', ['https://exemplo.com.br/a?b=1&c=2']],
  ['(http://exemplo.com)', ['http://exemplo.com']],
  ['www.exemplo.com, e www.outro.com.br!', ['https://www.exemplo.com', 'https://www.outro.com.br']],
  ['HTTPS://EXEMPLO.COM/Á', ['HTTPS://EXEMPLO.COM/Á']],
  ['"https://exemplo.com/x"<b>', ['https://exemplo.com/x']],
  ['javascript:alert(1) data:text/html,x file:///etc ftp://a.b', []],
  ['exemplo.com joao@exemplo.com', []],
  ['https://', []],
  ['', []],
])

it('loses no letter of any text, and links to the web only', () => {
  const word = fc.oneof(fc.string(), fc.constantFrom('https://a.b/c?d', 'www.x.y', ' ', '\n', 'javascript:x'))
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const pieces = textPieces(words.join(''))
      expect(pieces.map(({ text }) => text).join('')).toBe(words.join(''))
      for (const { href } of pieces) if (href !== null) expect(href).toMatch(/^https?:/iu)
    }),
  )
})

it.each([
  ['text', 'Oi', 'Oi'],
  ['image', 'Fachada', 'Fachada'],
  ['image', '  ', 'Foto'],
  ['audio', '', 'Áudio'],
  ['deleted', '', 'Mensagem apagada'],
] as const)('a %s with text "%s" has the short text "%s"', (kind, body, words) => {
  expect(messageSummary({ kind, body })).toBe(words)
})

it('an endless address is handled quickly', () => {
  const cpuMs = startCpuTimer()
  for (const signs of ['.', ').', '.a.', 'www.', 'http://', '"http://'])
    textPieces(`http://a${signs.repeat(65_536 / signs.length)}${signs === '.' ? 'b' : ''} fim`)
  textPieces(`https://a.example/${').'.repeat(30_000)}b`)
  expect(cpuMs()).toBeLessThan(500)
})
