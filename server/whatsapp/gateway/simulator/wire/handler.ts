// Checks each request: the instance of its path, its key and its body.
import type { Context } from 'hono'
import { isJson, WireError } from './errors.ts'
import type { Instance, Json, SimulatedState } from '../state.ts'

export type Wire = {
  simulated: SimulatedState
  apiKey: string
  /** The instance of the path, if it exists and the key is valid. */
  instanceOf: (context: Context) => Instance
}

/** Checks the name before the key, as the gateway does, so a stranger can find out which names exist. */
export function guardedInstance(simulated: SimulatedState, apiKey: string, context: Context): Instance {
  const name = context.req.param('name') ?? ''
  const instance = simulated.instances.get(name)
  if (instance === undefined) throw new WireError(404, [`The "${name}" instance does not exist`])
  const key = context.req.header('apikey')
  if (key !== apiKey && key !== instance.token) throw new WireError(401, 'Unauthorized')
  return instance
}

/** The body as the gateway's parser returns it. */
export async function bodyOf(context: Context): Promise<Json> {
  const text = await context.req.text()
  if (text === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    return isJson(body) ? body : {}
  } catch (error) {
    throw new WireError(400, error instanceof Error ? error.message : '', 'Internal Server Error')
  }
}
