// The message of a database function that refused, as an error to show.
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'

const Refusal = v.object({ hint: v.string(), message: v.string() })

/** Other errors stay as they are. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof PortalError) || error.status !== 422) return error
  const refusal = v.safeParse(Refusal, error.cause)
  return refusal.success
    ? new PortalError(refusal.output.hint, refusal.output.message, { status: 422 })
    : error
}
