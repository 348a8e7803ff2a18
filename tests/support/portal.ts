// The built portal as a process, as an operator runs it, and the calls that tests make to it.
import path from 'node:path'
import { startNode, type User, type Watched } from './process.ts'

export const ADMIN_PASSWORD = 'senha-do-administrador'

export type RunningPortal = { origin: string; process: Watched }
type Environment = Record<string, string>

/** No lead of the demonstration writes unprompted, so only the test changes the board. */
const STILL = { DEMO_DELAY_MS: '9000000-9000000' }

/** Runs dist/server of a checkout, this one or a copy, on a free port, without waiting for it. */
export function launchPortal(
  dataDir: string,
  env: Environment = {},
  checkout = process.cwd(),
  user: User = {},
): Watched {
  return startNode([path.join(checkout, 'dist/server/main.mjs')], {
    cwd: checkout,
    user,
    env: { ...STILL, DATA_DIR: dataDir, PORT: '0', DEMO: '0', ADMIN_PASSWORD, LOG_LEVEL: 'warn', ...env },
  })
}

/** Starts it and waits until it answers. */
export async function startPortal(
  dataDir: string,
  env: Environment = {},
  checkout?: string,
): Promise<RunningPortal> {
  const watched = launchPortal(dataDir, env, checkout)
  const [, origin = ''] = await watched.says(/Portal do Corretor em (http\S+)/)
  return { origin, process: watched }
}

/** A call with a JSON body; returns the status and the parsed answer. */
export async function call<T>(
  url: string,
  options: { token?: string; body?: unknown } = {},
): Promise<{ status: number; body: T }> {
  const response = await fetch(url, {
    method: options.body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    },
    body: options.body === undefined ? null : JSON.stringify(options.body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** The access token of a broker or administrator, from the endpoint that auth-js uses. */
export async function signIn(origin: string, email: string, password: string): Promise<string> {
  const { status, body } = await call<{ access_token: string }>(
    `${origin}/auth/v1/token?grant_type=password`,
    {
      body: { email, password },
    },
  )
  if (status !== 200) throw new Error(`sign-in of ${email} answered ${status}: ${JSON.stringify(body)}`)
  return body.access_token
}
