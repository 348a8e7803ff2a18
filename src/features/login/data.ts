// Checks the second factor of a sign-in, after a correct password.
import { forgetSession } from '#api/auth.ts'
import { giveCode } from '#api/factors.ts'

/**
 * `typed` is a code of the authenticator app or a recovery code. Throws PortalError `mfa_verification_failed`,
 * `request.throttled`, `network.offline`.
 */
export async function enterWithCode(typed: string): Promise<void> {
  await giveCode(typed.trim())
}

/** Ends the half-finished sign-in, so that the form asks for the password again. */
export async function leaveHalfWay(): Promise<void> {
  await forgetSession()
}
