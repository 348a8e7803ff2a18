// Items that arrive during a commit form the next group; a faulty item fails alone.
import { expect, test } from 'vitest'
import { SqlError } from '#server/db/database.ts'
import { createGroupCommit } from '#server/db/group-commit.ts'

const REFUSED = new SqlError({ code: '23514', message: 'refused' })

/** Commits one group at each `end`, and records its items. */
function stand({ refuses = '', error = REFUSED }: { refuses?: string; error?: unknown } = {}) {
  const groups: string[][] = []
  const ends: (() => void)[] = []
  const keep = createGroupCommit(
    async (items: readonly string[]) => {
      groups.push([...items])
      await new Promise<void>((resolve) => void ends.push(resolve))
      if (items.includes(refuses)) throw error
      return items.map((item) => item.toUpperCase())
    },
    { items: 3, chars: 10, charsOf: (item) => item.length },
  )
  const settle = async () => {
    for (let idle = 0; idle < 20; idle++) {
      if (ends.length > 0) idle = 0
      ends.shift()?.()
      await Promise.resolve()
    }
  }
  return { groups, keep, settle }
}

test('the first item goes at once, waiting ones go together, each with its own result', async () => {
  const { groups, keep, settle } = stand()
  const kept = ['a', 'b', 'c'].map(keep)
  await settle()
  expect(await Promise.all(kept)).toEqual(['A', 'B', 'C'])
  expect(groups).toEqual([['a'], ['b', 'c']])
})

test('a group ends when it is full or would be too large; an oversized item goes alone', async () => {
  const { groups, keep, settle } = stand()
  const kept = ['a', 'b', 'c', 'd', 'e', 'sevens!', 'four', 'x'.repeat(20)].map(keep)
  await settle()
  await Promise.all(kept)
  expect(groups).toEqual([['a'], ['b', 'c', 'd'], ['e', 'sevens!'], ['four'], ['x'.repeat(20)]])
})

test('after a failed group each item goes alone, and only the faulty one fails', async () => {
  const { groups, keep, settle } = stand({ refuses: 'bad' })
  const kept = ['a', 'b', 'bad', 'c'].map(keep)
  const outcomes = Promise.allSettled(kept)
  await settle()
  expect((await outcomes).map((one) => (one.status === 'fulfilled' ? one.value : 'refused'))).toEqual([
    'A',
    'B',
    'refused',
    'C',
  ])
  expect(groups).toEqual([['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']])
})

test('with the database down, items are not retried one by one', async () => {
  const { groups, keep, settle } = stand({ refuses: 'b', error: new Error('away') })
  const kept = ['a', 'b', 'c'].map(keep)
  const outcomes = Promise.allSettled(kept)
  await settle()
  expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(groups).toEqual([['a'], ['b', 'c']])
})
