// One session per person and portal, shared by a worker's tests.
import { call } from '../portal.ts'

export type Person = { email: string; password: string }

export const ADMIN: Person = { email: 'admin@admin.local', password: 'demo-admin' }
export const brokerNamed = (username: string): Person => ({
  email: `${username}@corretor.local`,
  password: 'demo-corretor',
})

type Session = { access_token: string }

const shared = new Map<string, Session>()

/** The session in auth-js' form. A session that a test has ended is no longer shared. */
export async function sessionOf(origin: string, person: Person): Promise<Session> {
  const key = `${origin} ${person.email}`
  const before = shared.get(key)
  if (before && (await isAlive(origin, before))) return before
  const { status, body } = await call<Session>(`${origin}/auth/v1/token?grant_type=password`, {
    body: person,
  })
  if (status !== 200)
    throw new Error(`sign-in of ${person.email} answered ${status}: ${JSON.stringify(body)}`)
  shared.set(key, body)
  return body
}

export const tokenOf = async (origin: string, person: Person) =>
  (await sessionOf(origin, person)).access_token

async function isAlive(origin: string, { access_token: token }: Session): Promise<boolean> {
  const { status } = await call(`${origin}/auth/v1/user`, { token })
  return status === 200
}
