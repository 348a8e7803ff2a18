// Refusals raised by the portal's SQL functions: the HTTP status is in the errcode, the code in the hint.
import { PortalError } from '#domain/errors.ts'
import { SqlError } from './database.ts'

/** Turns an error that can be shown to a person into a PortalError; returns others unchanged. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof SqlError)) return error
  const [, status] = /^PT(\d{3})$/.exec(error.code) ?? []
  if (status === undefined) return error
  const code = error.hint ?? 'session.lost'
  return new PortalError(code, error.message, { status: Number(status), cause: error })
}
