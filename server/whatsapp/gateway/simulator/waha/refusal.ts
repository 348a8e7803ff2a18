// WAHA's refusals. The answer to a failure inside the server repeats the request.
import type { Context } from 'hono'
import { STATUS_CODES } from 'node:http'
import type { Json } from '../state.ts'

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly body: Json

  constructor(status: number, body: Json) {
    super(`simulated ${status}`)
    this.status = status
    this.body = body
  }
}

export const refusal = (status: number, message: string | string[]): Refusal =>
  new Refusal(status, {
    message,
    ...(status === 401 ? {} : { error: STATUS_CODES[status] }),
    statusCode: status,
  })

/** A failure inside the server, with its JavaScript message. */
export async function crash(context: Context, error: Error, version: Json): Promise<Response> {
  const { method, path } = context.req
  const text = await context.req.text().catch(() => '')
  const body = text === '' ? {} : { body: JSON.parse(text) as unknown }
  const { message, name, stack } = error
  const exception = { message, name, stack }
  return context.json(
    { statusCode: 500, exception, request: { path, method, ...body, query: context.req.query() }, version },
    500,
  )
}
