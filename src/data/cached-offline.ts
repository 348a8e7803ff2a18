// Queries that store their last result on the device, show it at once and then refetch.
import { hashKey, type QueryFunctionContext, type QueryKey } from '@tanstack/react-query'
import { log } from '#api/log.ts'
import { currentOwner } from '#offline/owner.ts'
import { readAnswer, saveAnswer, type Slot } from '#offline/query-cache.ts'

type Keeping<T> = Pick<Slot, 'kind' | 'most' | 'version'> & {
  /** Reduces a result to the part that the device stores. */
  trim?: (answer: T) => T
}

/**
 * Makes a query function store its results on the device. Raise `version` when the shape of a result changes, so that
 * older results are ignored.
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
      // Waits for the stored result, because showing it after the error would clear the error.
      await showing
      throw error
    }
  }
}

/** Shows the stored result, unless the server's answer came first. */
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
