// Turns a database function's refusal into an error whose message can be shown.
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'

const Refusal = v.object({ hint: v.string(), message: v.string() })

/** Returns all other errors unchanged. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof PortalError) || error.status !== 422) return error
  const refusal = v.safeParse(Refusal, error.cause)
  return refusal.success
    ? new PortalError(refusal.output.hint, refusal.output.message, { status: 422 })
    : error
}
