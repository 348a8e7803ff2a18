// The built portal as a process of its own, as an operator runs it, and the few calls a test makes to it.
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { startNode, type User, type Watched } from './process.ts'

export const ADMIN_PASSWORD = 'senha-do-administrador'

export type RunningPortal = { origin: string; process: Watched }
type Environment = Record<string, string>

/** Nobody of the demonstration writes unasked: the board is what the test made of it. */
const STILL = { DEMO_DELAY_MS: '9000000-9000000' }

/** Runs dist/server of a checkout, this one or a copy, on any free port; nothing is waited for. */
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

/** The same, once it answers. */
export async function startPortal(
  dataDir: string,
  env: Environment = {},
  checkout?: string,
): Promise<RunningPortal> {
  const watched = launchPortal(dataDir, env, checkout)
  const [, origin = ''] = await watched.says(/Portal do Corretor em (http\S+)/)
  return { origin, process: watched }
}

/** A call with a JSON body; the answer's status and parsed body. */
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

/** The access token of a broker or administrator, signed in by the wire of auth-js. */
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

/** For a portal that is started again at the same address: the gateway goes on reporting to it. */
export function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port: free } = server.address() as AddressInfo
      server.close(() => resolve(free))
    })
  })
}
