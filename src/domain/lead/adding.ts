// A lead that a person adds by hand: what is missing of it, where it may have come from, and its name until the server has it.
import { BRAZILIAN, COUNTRY_CODE, phoneKey } from '../phone/phone.ts'

/** Where it came from, by slug, as source.ts reads it. */
export const HAND_SOURCES = ['plantao', 'indicacao', 'telefone', 'placa', 'outro'] as const

export type HandSource = (typeof HAND_SOURCES)[number]

/** `area`: eight or nine digits without an area code, after +55 as well; `number`: nothing that can be called. */
export type PhoneFault = 'area' | 'number'

/** Why a number as typed or pasted cannot be taken, null where it can; in SQL it is portal.phone_fault. */
export function phoneFault(written: string): PhoneFault | null {
  const key = phoneKey(written)
  if (key === null || written.includes('@')) return 'number'
  const digits = key.slice(1)
  if (digits.startsWith(COUNTRY_CODE) && BRAZILIAN.test(digits.slice(COUNTRY_CODE.length))) return null
  const isAbroad = written.trimStart().startsWith('+')
  if (isAbroad && !digits.startsWith(COUNTRY_CODE))
    return digits.length < 8 || digits.length > 15 ? 'number' : null
  const local = isAbroad ? digits.slice(COUNTRY_CODE.length) : digits
  return local.length === 8 || local.length === 9 ? 'area' : 'number'
}

/** As names are kept: without spaces around, one between words. */
export function tidyName(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ')
}

const SHORTEST_NAME = 2

export function isName(name: string): boolean {
  return tidyName(name).length >= SHORTEST_NAME
}

/** The negative id of a lead that only this device knows, made of the operation that adds it: no lead of the server has one. */
export function idOfAddition(operationId: string): number {
  return -Number.parseInt(operationId.replaceAll('-', '').slice(0, 12), 16) - 1
}
