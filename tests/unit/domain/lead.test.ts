// A lead's name on a card, and when the lead stands out.
import { describe, expect, it } from 'vitest'
import { freshWords, leadTitle } from '#domain/lead/lead.ts'
import { lastMessage, lead } from '#tests/support/make-app.ts'
import { table } from '#tests/support/table.ts'

describe('freshWords', () => {
  const sentAtSeconds = 1_763_728_860
  const spoken = lead({ lastMessage: lastMessage({ sentAtSeconds }) })
  table(
    '%d s after the last message: %s',
    (seconds) => freshWords(spoken, (sentAtSeconds + seconds) * 1000),
    [
      [0, 'incoming'],
      [299.999, 'incoming'],
      [300, null],
      [86_400, null],
      // the phone's clock is behind
      [-30, 'incoming'],
    ],
  )

  it('are ours if we wrote last: such a lead does not wait', () => {
    const answered = lead({ lastMessage: lastMessage({ sentAtSeconds, direction: 'outgoing' }) })
    expect(freshWords(answered, sentAtSeconds * 1000)).toBe('outgoing')
  })

  it('are empty before the first message', () => {
    expect(freshWords(lead({ lastMessage: null }), sentAtSeconds * 1000)).toBeNull()
  })
})

table('%o is shown as %s', leadTitle, [
  [{ name: 'Marina Tavares', number: '5511955500142' }, 'Marina Tavares'],
  [{ name: '  Rogério ', number: null }, 'Rogério'],
  [{ name: null, number: '5511955500142' }, '(11) 95550-0142'],
  [{ name: '   ', number: '5511955500142' }, '(11) 95550-0142'],
  [{ name: null, number: null }, 'Sem nome'],
  [{ name: null, number: '' }, 'Sem nome'],
])
