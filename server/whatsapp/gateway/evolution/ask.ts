// A call on one instance: validated name, supported gateway, answer parsed by its schema.
import type * as v from 'valibot'
import { read, requireName } from '../checks.ts'
import type { Call, Http } from '../http.ts'

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
