// The second step of a sign-in, where the password was right and a code is still owed.
import { forgetSession } from '#api/auth.ts'
import { giveCode } from '#api/factors.ts'

/** A code of the app, or a recovery code. Raises PortalError `mfa_verification_failed`, `request.throttled`, `network.offline`. */
export async function enterWithCode(typed: string): Promise<void> {
  await giveCode(typed.trim())
}

/** Back to the password. */
export async function leaveHalfWay(): Promise<void> {
  await forgetSession()
}
