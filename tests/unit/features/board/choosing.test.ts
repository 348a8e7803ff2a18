// Selecting several leads: one by one, and ranges within a column.
import { expect, it } from 'vitest'
import type { Column } from '#features/board/ground/board-view.ts'
import { chosenAfter } from '#features/board/ground/selection.ts'
import { lead, stage } from '#tests/support/make-app.ts'

const column = (slug: string, ids: number[]): Column => ({
  stage: stage({ slug }),
  leads: ids.map((id) => lead({ id, stageSlug: slug })),
  total: ids.length,
})
const columns = [column('new', [1, 2, 3, 4]), column('conversa', [5, 6])]

it.each([
  ['chosen', [], { leadId: 2, anchor: null, isRange: false }, [2]],
  ['let go of', [2, 3], { leadId: 2, anchor: 3, isRange: false }, [3]],
  ['a range downwards', [2], { leadId: 4, anchor: 2, isRange: true }, [2, 3, 4]],
  ['a range upwards', [5, 3], { leadId: 1, anchor: 3, isRange: true }, [1, 2, 3, 5]],
  ['a range from one that was let go of', [1, 2, 3], { leadId: 2, anchor: 4, isRange: true }, [1]],
  ['no range over two columns', [2], { leadId: 6, anchor: 2, isRange: true }, [2, 6]],
  ['no range without a beginning', [], { leadId: 3, anchor: null, isRange: true }, [3]],
  ['no range from one who left the board', [9], { leadId: 3, anchor: 9, isRange: true }, [3, 9]],
])('%s', (_, before, choice, after) => {
  expect([...chosenAfter(new Set(before), columns, choice)].toSorted((a, b) => a - b)).toEqual(after)
})
