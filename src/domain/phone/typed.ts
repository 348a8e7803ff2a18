// Parses numbers typed in the app with read.ts, which is loaded at the first use.
import { dialledDigits } from './number-key.ts'
import { COUNTRY_CODE, digitsOf } from './phone.ts'
import type { NumberFault } from './read.ts'

/** Each number as '+' and digits, the preferred one first; `fault`: why there is none. */
export type TypedNumbers = { numbers: readonly string[]; fault: NumberFault | null }

/** The server parses the number again. */
export async function readTyped(written: string): Promise<TypedNumbers> {
  const reader = await import('./read.ts').catch(() => null)
  if (reader) {
    const { numbers, fault } = reader.readNumbers(written)
    return { numbers: numbers.map(({ e164 }) => e164), fault }
  }
  return readPlain(written)
}

/**
 * Fallback for an offline device without the parser: plain Brazilian forms, and numbers with a foreign
 * country code.
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
