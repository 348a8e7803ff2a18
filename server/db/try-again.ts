// What the database undid because others were at the same rows is tried again: of the time before nothing was kept.
import { systemClock } from '#server/clock.ts'
import { SqlError } from './database.ts'

const DEADLOCK = '40P01'
const MAX_TIMES = 4
/** The other one is let through first: who comes back at once can take its next row away, and both stand still again. */
const PAUSE_MS = { min: 20, max: 80 }

type Options = {
  /** SQLSTATEs after which it is worth it. */
  codes?: readonly string[]
  /** Real time, as is the database's own before it tells of a deadlock. */
  pause?: () => Promise<void>
}

/** `work` is one transaction and touches nothing beside it; what it raises the last of four times is raised. */
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
