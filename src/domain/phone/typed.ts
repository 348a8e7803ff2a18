// Numbers that somebody types in the app: read by the one reader, which is loaded when it is needed first.
import { dialledDigits } from './number-key.ts'
import { COUNTRY_CODE, digitsOf } from './phone.ts'
import type { NumberFault } from './read.ts'

/** Each number as '+' and its digits, the one to write to first; `fault`: why there is none. */
export type TypedNumbers = { numbers: readonly string[]; fault: NumberFault | null }

/**
 * Without a signal on a device that never had the reader, plain Brazilian forms and what begins with another country's code
 * are taken as they are: the server reads the number once more.
 */
export async function readTyped(written: string): Promise<TypedNumbers> {
  const reader = await import('./read.ts').catch(() => null)
  if (reader) {
    const { numbers, fault } = reader.readNumbers(written)
    return { numbers: numbers.map(({ e164 }) => e164), fault }
  }
  const digits = dialledDigits(written) ?? foreignDigits(written)
  return digits === null ? { numbers: [], fault: 'number' } : { numbers: [`+${digits}`], fault: null }
}

function foreignDigits(written: string): string | null {
  const digits = digitsOf(written)
  const isForeign = written.trimStart().startsWith('+') && !digits.startsWith(COUNTRY_CODE)
  return isForeign && /^\d{8,15}$/.test(digits) ? digits : null
}
