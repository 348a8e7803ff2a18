// A call on one instance: validated name, supported gateway, answer parsed by its schema.
import * as v from 'valibot'
import { gatewayError, unreadableError, type Operation } from './faults.ts'
import type { Call, Http } from './http.ts'

/** `route`: the path before the instance's name; `query`: what follows it. */
export type Ask = <T extends v.GenericSchema>(
  schema: T,
  call: Omit<Call, 'path'> & { instanceName: string; route: string; query?: string },
) => Promise<v.InferOutput<T>>

export const createAsk =
  (http: Http, checkVersion: () => Promise<string>): Ask =>
  async (schema, { route, query = '', ...call }) => {
    requireName(call.operation, call.instanceName)
    await checkVersion()
    return read(
      call.operation,
      schema,
      await http({ ...call, path: `${route}/${call.instanceName}${query}` }),
    )
  }

/** The name becomes part of an address unescaped. */
const INSTANCE_NAME = /^[a-z0-9_-]{1,100}$/

export function requireName(operation: Operation, instanceName: string) {
  if (!INSTANCE_NAME.test(instanceName))
    throw gatewayError(operation, 'refused', { detail: 'o nome da instância não é válido' })
}

export function read<T extends v.GenericSchema>(
  operation: Operation,
  schema: T,
  body: unknown,
): v.InferOutput<T> {
  const parsed = v.safeParse(schema, body)
  if (!parsed.success) throw unreadableError(operation)
  return parsed.output
}
