// Queries whose last answer is kept on the device: shown at once, then asked for again.
import { hashKey, type QueryFunctionContext, type QueryKey } from '@tanstack/react-query'
import { log } from '#api/log.ts'
import { currentOwner } from '#offline/owner.ts'
import { readAnswer, saveAnswer, type Slot } from '#offline/query-cache.ts'

type Keeping<T> = Pick<Slot, 'kind' | 'most' | 'version'> & {
  /** What of an answer is kept, where not all of it is. */
  trim?: (answer: T) => T
}

/**
 * A query function that does so. `version` is raised when the shape of the answer changes; answers of an older app are
 * then forgotten.
 */
export function cachedOffline<T, K extends QueryKey>(
  { trim = (answer) => answer, ...keeping }: Keeping<T>,
  ask: (context: QueryFunctionContext<K>) => Promise<T>,
) {
  return async (context: QueryFunctionContext<K>): Promise<T> => {
    const owner = currentOwner()
    if (owner === null) return ask(context)
    const slot = { ...keeping, owner, name: hashKey(context.queryKey) }
    const isAnswered = { current: false }
    const showing = show(slot, context, isAnswered)
    try {
      const answer = await ask(context)
      isAnswered.current = true
      if (currentOwner() === owner) {
        saveAnswer(slot, trim(answer), Date.now()).catch((cause: unknown) =>
          log.warn('answer.keep-failed', cause),
        )
      }
      return answer
    } catch (error) {
      // What is kept must not come after the failure, or the failure would be forgotten.
      await showing
      throw error
    }
  }
}

/** Shows the kept answer, unless there is a newer one by then. */
async function show(
  slot: Slot,
  { client, queryKey, signal }: Pick<QueryFunctionContext, 'client' | 'queryKey' | 'signal'>,
  isAnswered: { current: boolean },
) {
  const isNews = () => !isAnswered.current && client.getQueryData(queryKey) === undefined
  if (!isNews()) return
  try {
    const stored = await readAnswer(slot)
    if (!stored || !isNews() || signal.aborted) return
    client.setQueryData(queryKey, stored.data, { updatedAt: stored.answeredAtMs })
  } catch (cause) {
    log.warn('answer.read-failed', cause)
  }
}
