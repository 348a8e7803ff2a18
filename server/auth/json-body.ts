// Request bodies of the sign-in protocols: small JSON objects, validated here.
import type { Context } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { limitBody } from '#server/http/requests.ts'

const MAX_BODY_BYTES = 16 * 1024

/** Raises `request.too-large`. */
export const limitSignIn = limitBody(MAX_BODY_BYTES)

/** The body in the schema's shape; raises `request.not-json`, or `request.invalid` with `message`. */
export async function readBody<T extends v.GenericSchema>(
  context: Context,
  schema: T,
  message: string,
): Promise<v.InferOutput<T>> {
  const result = v.safeParse(schema, parse(await context.req.text()))
  if (!result.success) throw new PortalError('request.invalid', message)
  return result.output
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new PortalError('request.not-json', 'O pedido não é um JSON válido.', { cause })
  }
}
