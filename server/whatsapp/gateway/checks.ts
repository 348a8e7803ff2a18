// What every gateway's client checks before a call, and how it reads an answer.
import * as v from 'valibot'
import { hasPassed, type Clock } from '#server/clock.ts'
import { gatewayError, unreadableError, type Operation } from './faults.ts'
import { number } from './message/field.ts'

/** The name becomes part of an address unescaped. */
const INSTANCE_NAME = /^[a-z0-9_-]{1,100}$/

export function requireName(operation: Operation, instanceName: string) {
  if (!INSTANCE_NAME.test(instanceName))
    throw gatewayError(operation, 'refused', { detail: 'o nome da instância não é válido' })
}

const NUMBER = /^(\d{8,20}|\d{5,20}@(s\.whatsapp\.net|lid))$/

/** Accepts digits, or an address that a gateway gave. Gateways do not clean anything else. */
export function requireNumber(operation: Operation, number: string) {
  if (!NUMBER.test(number)) throw gatewayError(operation, 'refused', { detail: 'o número não é válido' })
}

/** Whether a version such as '2.3.7' is `oldest` or newer. */
export function isAtLeast(version: string, oldest: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10))
  const differs = oldest.findIndex((part, at) => part !== parts[at])
  return differs < 0 || (parts[differs] ?? 0) > (oldest[differs] ?? 0)
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

/** A time in seconds, written as a number, a text or the two halves of a 64-bit number. */
export const Seconds = v.pipe(v.unknown(), v.transform(number), v.number())

/** Skips rows that the portal cannot read, so that they do not hide the others. */
export const rowsOf = <T extends v.GenericSchema>(row: T) =>
  v.pipe(
    v.array(v.unknown()),
    v.transform((rows) =>
      rows.flatMap((one): v.InferOutput<T>[] => {
        const found = v.safeParse(row, one)
        return found.success ? [found.output] : []
      }),
    ),
  )

/** The version is asked for again after this time, because a gateway may be replaced while the portal runs. */
const KEPT_MS = 10 * 60_000

/** Caches the answer of `ask`, but no failure. `ask` rejects with `unsupported` for an unsupported gateway. */
export function createVersionCheck(clock: Clock, ask: () => Promise<string>): () => Promise<string> {
  let known: { version: Promise<string>; askedAtMs: number } | undefined
  return () => {
    if (known === undefined || hasPassed(clock, known.askedAtMs, KEPT_MS)) {
      const asked = { version: ask(), askedAtMs: clock.now() }
      known = asked
      asked.version.catch(() => {
        if (known === asked) known = undefined
      })
    }
    return known.version
  }
}
