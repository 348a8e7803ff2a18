// Parses numbers that a person types in the app, with read.ts, which loads at the first use.
import { dialledDigits } from './number-key.ts'
import { COUNTRY_CODE, digitsOf } from './phone.ts'
import type { NumberFault } from './read.ts'

/** Numbers as '+' and digits, the preferred one first. `fault` tells why there is none. */
export type TypedNumbers = { numbers: readonly string[]; fault: NumberFault | null }

/** Parses a typed number for the screen. The server parses it again. */
export async function readTyped(written: string): Promise<TypedNumbers> {
  const reader = await import('./read.ts').catch(() => null)
  if (reader) {
    const { numbers, fault } = reader.readNumbers(written)
    return { numbers: numbers.map(({ e164 }) => e164), fault }
  }
  return readPlain(written)
}

/**
 * Reads plain Brazilian forms and numbers with a foreign country code, because an offline device may lack the parser.
 */
export function readPlain(written: string): TypedNumbers {
  const digits = dialledDigits(written) ?? foreignDigits(written)
  if (digits !== null) return { numbers: [`+${digits}`], fault: null }
  return { numbers: [], fault: LOCAL.test(digitsOf(written)) ? 'area' : 'number' }
}

/** A Brazilian number without its area code. */
const LOCAL = /^(?:9\d{8}|[2-9]\d{7})$/

function foreignDigits(written: string): string | null {
  const digits = digitsOf(written)
  const isForeign = written.trimStart().startsWith('+') && !digits.startsWith(COUNTRY_CODE)
  return isForeign && /^\d{8,15}$/.test(digits) ? digits : null
}
