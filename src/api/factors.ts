// An administrator's password and second step, by the sign-in client.
import type { AuthError } from '@supabase/auth-js'
import { PortalError } from '#domain/errors.ts'
import { auth, toPortalError } from './auth.ts'

const APP_NAME = 'Aplicativo autenticador'
const ISSUER = 'Portal do Corretor'

/** What the server says of a code, an app or a password is Portuguese and meant for the person. */
function refusal(error: AuthError): PortalError {
  const isAnswered =
    error.status !== undefined && error.status >= 400 && error.status < 500 && error.status !== 429
  if (!isAnswered || error.code === undefined) return toPortalError(error)
  return new PortalError(error.code, error.message, { status: error.status ?? 400, cause: error })
}

/** Gives a code of the app, or a recovery code, for the session that still owes it; whoever follows the session is told. */
export async function giveCode(code: string): Promise<void> {
  const { data, error } = await (await auth()).mfa.listFactors()
  if (error) throw refusal(error)
  const [app] = data.totp
  if (!app) throw new PortalError('mfa_factor_not_found', 'Entre de novo com a sua senha.')
  await confirmApp(app.id, code)
}

/** A new app to scan or to type; it counts once a code of it was given. */
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

/** Raises `mfa_verification_failed`, `request.throttled` and `network.offline`. */
export async function confirmApp(id: string, code: string): Promise<void> {
  const { error } = await (await auth()).mfa.challengeAndVerify({ factorId: id, code })
  if (error) throw refusal(error)
}

/** Takes every app away: the password alone enters again. */
export async function removeApps(): Promise<void> {
  const { data, error } = await (await auth()).mfa.listFactors()
  if (error) throw refusal(error)
  for (const { id } of data.all) {
    const { error: fault } = await (await auth()).mfa.unenroll({ factorId: id })
    if (fault) throw refusal(fault)
  }
  await (await auth()).refreshSession()
}

/** Ends every other session. Raises `invalid_credentials`, `same_password`, `weak_password`. */
export async function changePassword(current: string, next: string): Promise<void> {
  const { error } = await (await auth()).updateUser({ current_password: current, password: next })
  if (error) throw refusal(error)
}
