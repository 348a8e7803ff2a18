// Turns errors of Postgres or of its connection into SqlError; other errors stay as they are.
import pg from 'pg'
import { SqlError } from '../database.ts'
import { isOutdated, Refused } from './pipeline.ts'

/** `before`: how many of the portal's own statements were sent before those of the caller. */
export function throwSqlError(error: unknown, before = 0): never {
  throw error instanceof Refused ? toSqlError(error.cause, error.at - before) : toSqlError(error, 0)
}

function toSqlError(error: unknown, at: number): unknown {
  if (isOutdated(error) || isStalePlan(error))
    return new SqlError({ message: 'the schema changed meanwhile', code: '40001', cause: error })
  if (error instanceof pg.DatabaseError && error.code !== undefined)
    return new SqlError({
      message: error.message,
      code: error.code,
      detail: error.detail,
      hint: error.hint,
      constraint: error.constraint,
      at,
    })
  return error instanceof Error && isConnectionLost(error)
    ? new SqlError({ message: error.message, code: CONNECTION_FAILURE, cause: error })
    : error
}

/**
 * Whether this session may keep a plan of an earlier schema: of a function that was created again, or of a column whose
 * type changed. Such a connection must be closed.
 */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  ((error.code === 'XX000' && error.message.startsWith('cache lookup failed for ')) ||
    (error.code === '42804' && error.message.includes('when preparing the plan')))

export const CONNECTION_FAILURE = '08006'
const NETWORK_CODE = /^(E[A-Z_]+|ERR_TLS\w*|ERR_SSL\w*)$/
const DRIVER_WORDS =
  /^(Connection terminated|Client (has encountered|was closed)|timeout exceeded when trying)/

function isConnectionLost(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return NETWORK_CODE.test(code) || DRIVER_WORDS.test(error.message)
}
