// What a broker reads when WhatsApp limits the number: what stops, until when, and what goes on.
import { expect, it, test } from 'vitest'
import { limitWords } from '#domain/link-limit.ts'
import { needsWord, type LinkLimit } from '#domain/link.ts'

const UNTIL = Date.UTC(2026, 10, 30, 17, 30)
const limit = (part: Partial<LinkLimit>): LinkLimit => ({
  untilMs: UNTIL,
  isQuota: false,
  hasNoEnd: false,
  ...part,
})
const GOES_ON = 'Campanhas esperam; respostas a quem escreve saem normalmente.'

it.each([
  [limit({}), `O WhatsApp não deixa este número começar conversas, até 30/11/2026 14:30. ${GOES_ON}`],
  [
    limit({ hasNoEnd: true }),
    `O WhatsApp não deixa este número começar conversas, sem dizer até quando. ${GOES_ON}`,
  ],
  [
    limit({ isQuota: true }),
    `O WhatsApp não deixa este número começar mais conversas, até 30/11/2026 14:30. ${GOES_ON}`,
  ],
])('%j', (of, words) => {
  expect(limitWords(of)).toBe(words)
  expect(limitWords(of, 'Camila')).toBe(words.replace('este número', 'Camila'))
})

test('a limit and a move are worth a banner', () => {
  const link = { state: 'open', number: '5511955550101', replacedNumber: null } as const
  expect([
    needsWord(link),
    needsWord({ ...link, limit: null }),
    needsWord({ ...link, isMoving: false }),
    needsWord({ ...link, limit: limit({}) }),
    needsWord({ ...link, isMoving: true }),
  ]).toEqual([false, false, false, true, true])
})
