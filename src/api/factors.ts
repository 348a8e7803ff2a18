// Changes an administrator's password and second factor, through auth-js.
import type { AuthError } from '@supabase/auth-js'
import { PortalError } from '#domain/errors.ts'
import { auth, toPortalError } from './auth.ts'

const APP_NAME = 'Aplicativo autenticador'
const ISSUER = 'Portal do Corretor'

/**
 * Turns an error of auth-js into a PortalError. The server's messages about codes, apps and passwords are Portuguese,
 * so users see them unchanged.
 */
function refusal(error: AuthError): PortalError {
  const isAnswered =
    error.status !== undefined && error.status >= 400 && error.status < 500 && error.status !== 429
  if (!isAnswered || error.code === undefined) return toPortalError(error)
  return new PortalError(error.code, error.message, { status: error.status ?? 400, cause: error })
}

/** Gives a code of the app, or a recovery code, to a session whose second factor is missing. */
export async function giveCode(code: string): Promise<void> {
  const { data, error } = await (await auth()).mfa.listFactors()
  if (error) throw refusal(error)
  const [app] = data.totp
  if (!app) throw new PortalError('mfa_factor_not_found', 'Entre de novo com a sua senha.')
  await confirmApp(app.id, code)
}

/** Begins to set up an authenticator app, and returns its QR code and secret. confirmApp activates it. */
export async function startApp(): Promise<{ id: string; qrCode: string; secret: string }> {
  const { data, error } = await (
    await auth()
  ).mfa.enroll({
    factorType: 'totp',
    friendlyName: APP_NAME,
    issuer: ISSUER,
  })
  if (error) throw refusal(error)
  return { id: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret }
}

/**
 * Activates an authenticator app by a first code. Throws `mfa_verification_failed`, `request.throttled` and
 * `network.offline`.
 */
export async function confirmApp(id: string, code: string): Promise<void> {
  const { error } = await (await auth()).mfa.challengeAndVerify({ factorId: id, code })
  if (error) throw refusal(error)
}

/** Removes all authenticator apps: from then on the password is enough. */
export async function removeApps(): Promise<void> {
  const { data, error } = await (await auth()).mfa.listFactors()
  if (error) throw refusal(error)
  for (const { id } of data.all) {
    const { error: fault } = await (await auth()).mfa.unenroll({ factorId: id })
    if (fault) throw refusal(fault)
  }
  await (await auth()).refreshSession()
}

/**
 * Changes the own password and ends every other session. Throws `invalid_credentials`, `same_password`,
 * `weak_password`.
 */
export async function changePassword(current: string, next: string): Promise<void> {
  const { error } = await (await auth()).updateUser({ current_password: current, password: next })
  if (error) throw refusal(error)
}
