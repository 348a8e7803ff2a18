// A refusal that a function of ours raised: its HTTP status in the errcode, its code in the hint.
import { PortalError } from '#domain/errors.ts'
import { SqlError } from './database.ts'

/** What can be shown to a person, as a PortalError; anything else as it came. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof SqlError)) return error
  const [, status] = /^PT(\d{3})$/.exec(error.code) ?? []
  if (status === undefined) return error
  const code = error.hint ?? 'session.lost'
  return new PortalError(code, error.message, { status: Number(status), cause: error })
}
