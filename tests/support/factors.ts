// An administrator with an authenticator app, simulating a browser with auth-js and a phone.
import type { AuthClient } from '@supabase/auth-js'
import { codeAt, STEP_SECONDS } from '#server/auth/factors/totp.ts'
import type { TestAuth } from './auth.ts'

type Client = InstanceType<typeof AuthClient>

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A secret's bytes, as an app reads them from the screen. */
function fromBase32(text: string): Uint8Array {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => parseInt(byte, 2))
}

/** The app's code `steps` half minutes from now. */
export const codeOf = (secret: string, nowMs: number, steps = 0) =>
  codeAt(fromBase32(secret), Math.floor(nowMs / 1000 / STEP_SECONDS) + steps)

/** Advances past the current code's half minute, so that the next code is new. */
export const nextCode = (portal: TestAuth, secret: string) => {
  portal.clock.advance(STEP_SECONDS * 1000)
  return codeOf(secret, portal.clock.now())
}

export async function enroll(client: Client, friendlyName = 'Celular') {
  const { data, error } = await client.mfa.enroll({ factorType: 'totp', friendlyName })
  if (error) throw error
  return { factorId: data.id, ...data.totp }
}

/** Sets up the second factor and verifies it, as Conta does. */
export async function turnOn(portal: TestAuth, client: Client) {
  const app = await enroll(client)
  const { error } = await client.mfa.challengeAndVerify({
    factorId: app.factorId,
    code: nextCode(portal, app.secret),
  })
  if (error) throw error
  return app
}

export const tokenOf = async (client: Client) => (await client.getSession()).data.session?.access_token ?? ''
