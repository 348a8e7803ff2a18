// What every gateway's client checks before a call, and how it reads an answer.
import * as v from 'valibot'
import { gatewayError, unreadableError, type Operation } from './faults.ts'

/** The name becomes part of an address unescaped. */
const INSTANCE_NAME = /^[a-z0-9_-]{1,100}$/

export function requireName(operation: Operation, instanceName: string) {
  if (!INSTANCE_NAME.test(instanceName))
    throw gatewayError(operation, 'refused', { detail: 'o nome da instância não é válido' })
}

const NUMBER = /^(\d{8,20}|\d{5,20}@(s\.whatsapp\.net|lid))$/

/** Digits, or an address of the gateway; neither gateway cleans anything else. */
export function requireNumber(operation: Operation, number: string) {
  if (!NUMBER.test(number)) throw gatewayError(operation, 'refused', { detail: 'o número não é válido' })
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
