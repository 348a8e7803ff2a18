// The phone's board before the code of its filters is loaded: what comes later moves nothing.
import { expect, test, vi } from 'vitest'
import { leadRow } from '#tests/support/components/broker-portal.ts'
import { openBoard, tab } from '#tests/support/components/phone-board.ts'

vi.mock('#features/board/day/day.ts', () => ({
  createDay: () => {
    throw new Error('not loaded in this test')
  },
}))

test('as abas dizem desde o primeiro card quantos têm algo sem ler', async () => {
  await openBoard([
    leadRow(1, { name: 'Marina Tavares', unread_count: 2 }),
    leadRow(2, { name: 'Helena Duarte', last_message: null }),
  ])
  await expect.element(tab('Novos Contatos')).toHaveTextContent('1 não lida')
})
