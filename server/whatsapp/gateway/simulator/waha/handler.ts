// Shared by the routes: the session of a call, its body, and the refusal of a session that does not work.
import type { Context } from 'hono'
import type { Instance, Json, SimulatedState } from '../state.ts'
import { isJson } from '../wire/errors.ts'
import type { Files } from './files.ts'
import { Refusal, refusal } from './refusal.ts'
import { statusOf } from './shapes.ts'

export type Wire = {
  simulated: SimulatedState
  files: Files
  /** The session of the path, for calls about sessions. */
  sessionOf: (name: unknown) => Instance
  /** The session for calls that use it. They refuse an unknown one in other words. */
  usedOf: (name: unknown) => Instance
  /** A linked session. The refusal of any other comes after some seconds. */
  workingOf: (name: unknown) => Promise<Instance>
}

export const unexpected = (instance: Instance, expected: string): Refusal =>
  new Refusal(422, {
    error: 'Session status is not as expected. Try again later or restart the session',
    session: instance.name,
    status: statusOf(instance),
    expected: [expected],
  })

export async function bodyOf(context: Context): Promise<Json> {
  const text = await context.req.text()
  try {
    const body: unknown = text === '' ? {} : JSON.parse(text)
    return isJson(body) ? body : {}
  } catch (error) {
    throw refusal(400, error instanceof Error ? error.message : '')
  }
}
