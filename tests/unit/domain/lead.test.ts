// A lead's name on a card, and when she stands out. Spec 2.9, 9.
import { describe, expect, it } from 'vitest'
import { isFresh, leadTitle } from '#domain/lead.ts'
import { lastMessage, lead } from '#tests/support/make-app.ts'

describe('isFresh', () => {
  const sentAtSeconds = 1_763_728_860
  const spoken = lead({ lastMessage: lastMessage({ sentAtSeconds }) })
  it.each([
    [0, true],
    [299.999, true],
    [300, false],
    [86_400, false],
    // the phone's clock runs behind
    [-30, true],
  ])('%d s after the last message: %s', (seconds, expected) => {
    expect(isFresh(spoken, (sentAtSeconds + seconds) * 1000)).toBe(expected)
  })

  it('is never so before the first message', () => {
    expect(isFresh(lead({ lastMessage: null }), Date.now())).toBe(false)
  })
})

it.each([
  [{ name: 'Marina Tavares', number: '5511955500142' }, 'Marina Tavares'],
  [{ name: '  Rogério ', number: null }, 'Rogério'],
  [{ name: null, number: '5511955500142' }, '(11) 95550-0142'],
  [{ name: '   ', number: '5511955500142' }, '(11) 95550-0142'],
  [{ name: null, number: null }, 'Sem nome'],
  [{ name: null, number: '' }, 'Sem nome'],
])('%o is shown as %s', (person, title) => {
  expect(leadTitle(person)).toBe(title)
})
