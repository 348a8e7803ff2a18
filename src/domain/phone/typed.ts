// Numbers that somebody types in the app: read by the one reader, which is loaded when it is needed first.
import { dialledDigits } from './number-key.ts'
import { COUNTRY_CODE, digitsOf } from './phone.ts'
import type { NumberFault } from './read.ts'

/** Each number as '+' and its digits, the one to write to first; `fault`: why there is none. */
export type TypedNumbers = { numbers: readonly string[]; fault: NumberFault | null }

/** The server reads the number once more. */
export async function readTyped(written: string): Promise<TypedNumbers> {
  const reader = await import('./read.ts').catch(() => null)
  if (reader) {
    const { numbers, fault } = reader.readNumbers(written)
    return { numbers: numbers.map(({ e164 }) => e164), fault }
  }
  return readPlain(written)
}

/** Without a signal on a device that never had the reader: plain Brazilian forms, and what begins with another country's code. */
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
