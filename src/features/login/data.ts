// The second factor of a sign-in, after a correct password.
import { forgetSession } from '#api/auth.ts'
import { giveCode } from '#api/factors.ts'

/**
 * A code of the app, or a recovery code. Throws PortalError `mfa_verification_failed`, `request.throttled`,
 * `network.offline`.
 */
export async function enterWithCode(typed: string): Promise<void> {
  await giveCode(typed.trim())
}

/** Goes back to the password step. */
export async function leaveHalfWay(): Promise<void> {
  await forgetSession()
}
