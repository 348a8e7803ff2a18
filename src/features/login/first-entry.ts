// Sets an administrator's first password and signs in, even if responses are lost.
import { enter, setFirstPassword } from '#data/session.ts'
import { PortalError } from '#domain/errors.ts'

type FirstEntry = { username: string; password: string; invite: string }

const isCode = (error: unknown, code: string) => error instanceof PortalError && error.code === code

/**
 * Returns the function that each attempt calls. It sets the password only once, because the link works only once. It
 * returns 'code' if the sign-in needs a second factor. Throws the server's PortalError.
 */
export function createFirstEntry(): (entry: FirstEntry) => Promise<'in' | 'code'> {
  let isSet = false
  return async ({ username, password, invite }) => {
    const enterNow = () => enter('admin', username, password)
    if (isSet) return enterNow()
    try {
      await setFirstPassword({ role: 'admin', username, password, invite })
    } catch (closed) {
      if (!isCode(closed, 'first-access.closed')) throw closed
      // An earlier attempt, whose response was lost, may have set this password, so a sign-in with it is tried.
      return enterNow().catch((refusal: unknown) => {
        throw isCode(refusal, 'login.invalid-credentials') ? closed : refusal
      })
    }
    isSet = true
    return enterNow()
  }
}
