// What comes in while one group is being committed makes up the next, so that many are safe in little time.
import { isPassing, SqlError } from './database.ts'

/** The most of one group; a single item may be longer. */
export type GroupLimit<Item> = { items: number; chars: number; charsOf: (item: Item) => number }

type Waiting<Item, Answer> = {
  item: Item
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Resolves with an item's answer once its group is committed. `commit` answers for each item of a group, in their order, in one
 * statement or transaction. Where a group is refused each goes alone, so that only the one to blame is.
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
