// Formats a Brazilian number while it is typed or pasted; numbers with a country code stay unchanged.
import { COUNTRY_CODE, digitsOf } from '#domain/phone/phone.ts'

const AREA = 2
const MAX_DIGITS = 11
const LANDLINE = 8

/** Matches a pasted number without an area code. Formatting would mistake its first digits for one. */
const LOCAL = /^\s*\d{4,5}[-\s.]\d{4}\s*$/

export function masked(typed: string): string {
  if (LOCAL.test(typed)) return typed.trim()
  const isNational = !typed.trimStart().startsWith('+')
  const all = digitsOf(typed).replace(/^0+/, '')
  const digits =
    all.startsWith(COUNTRY_CODE) && all.length > MAX_DIGITS ? all.slice(COUNTRY_CODE.length) : all
  if (digits.length > MAX_DIGITS || (!isNational && digits === all)) return typed
  if (digits.length <= AREA) return digits
  const rest = digits.slice(AREA)
  const head = rest.length > LANDLINE ? 5 : 4
  const dash = rest.length > head ? `-${rest.slice(head)}` : ''
  return `(${digits.slice(0, AREA)}) ${rest.slice(0, head)}${dash}`
}
