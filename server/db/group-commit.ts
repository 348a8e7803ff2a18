// Commits items in groups: what arrives while one group is being committed forms the next. Many items become durable
// in few commits.
import { isPassing, SqlError } from './database.ts'

/** Maximum size of one group. A single item may be longer. */
export type GroupLimit<Item> = { items: number; chars: number; charsOf: (item: Item) => number }

type Waiting<Item, Answer> = {
  item: Item
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Resolves with an item's answer after its group was committed. `commit` handles a group in one statement or
 * transaction, and answers for each item in order. If a group is refused, each item is retried alone, so only the
 * faulty one fails.
 */
export function createGroupCommit<Item, Answer>(
  commit: (items: readonly Item[]) => Promise<readonly Answer[]>,
  limit: GroupLimit<Item>,
): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = []
  let isCommitting = false

  async function commitAll() {
    if (isCommitting) return
    isCommitting = true
    while (waiting.length > 0) await commitGroup(takeGroup())
    isCommitting = false
  }

  function takeGroup() {
    let chars = 0
    const end = waiting.findIndex(({ item }, index) => {
      chars += limit.charsOf(item)
      return index > 0 && (index >= limit.items || chars > limit.chars)
    })
    const group = end === -1 ? waiting : waiting.slice(0, end)
    waiting = waiting.slice(group.length)
    return group
  }

  async function commitGroup(group: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await commit(group.map(({ item }) => item))
      group.forEach(({ resolve }, index) => resolve(answers[index] as Answer))
    } catch (error) {
      const isOfOne = error instanceof SqlError && !isPassing(error)
      if (group.length === 1 || !isOfOne) group.forEach(({ reject }) => reject(error))
      else for (const one of group) await commitGroup([one])
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      void commitAll()
    })
}
