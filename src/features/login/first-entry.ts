// Setting an administrator's first password and entering with it, however often an answer is lost on the way.
import { enter, setFirstPassword } from '#data/session.ts'
import { PortalError } from '#domain/errors.ts'

type FirstEntry = { username: string; password: string; invite: string }

const isCode = (error: unknown, code: string) => error instanceof PortalError && error.code === code

/**
 * Answers a function to be called at each try: a password that is set is not set again, for its link is used up. 'code': a
 * second step is owed. Raises the server's PortalError.
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
      // The link may have been used a moment ago, by this very password.
      return enterNow().catch((refusal: unknown) => {
        throw isCode(refusal, 'login.invalid-credentials') ? closed : refusal
      })
    }
    isSet = true
    return enterNow()
  }
}
