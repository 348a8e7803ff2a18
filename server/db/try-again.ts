// Tries a transaction again that the database undid because of another one at the same rows.
import { systemClock } from '#server/clock.ts'
import { SqlError } from './database.ts'

const DEADLOCK = '40P01'
const MAX_TIMES = 4
/** The wait before it: without a wait the two transactions could block each other again. */
const PAUSE_MS = { min: 20, max: 80 }

type Options = {
  /** SQLSTATEs after which another attempt can succeed. */
  codes?: readonly string[]
  /** Real time, because the database also detects deadlocks in real time. */
  pause?: () => Promise<void>
}

/** `work` is one transaction without other effects. Rejects with the error of its fourth attempt. */
export async function tryAgain<T>(
  work: () => Promise<T>,
  { codes = [DEADLOCK], pause = pauseShortly }: Options = {},
): Promise<T> {
  for (let time = 1; ; time++)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof SqlError) || !codes.includes(error.code) || time === MAX_TIMES) throw error
      await pause()
    }
}

const pauseShortly = () => systemClock.sleep(systemClock.randomBetween(PAUSE_MS.min, PAUSE_MS.max))
