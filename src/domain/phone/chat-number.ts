// The form of numbers by which the agents' external memory identifies a chat. The memory existed before the portal, so
// its rule must not change. Everything else uses phone.ts.
import { COUNTRY_CODE, digitsOf } from './phone.ts'

/** `number` is shown to the person; `digits` are the typed ones. */
export type ChatNumber =
  | { ok: true; number: string; digits: string }
  | { ok: false; reason: 'empty' | 'short' | 'no-area' | 'local' }

const MIN_DIGITS = 8
const MOBILE_WITHOUT_AREA = 9

/**
 * Applies the memory's rule by the count of digits. 11 with a third digit 9 lose that 9 and get the country code. 10
 * get the country code. 12 with country code lose a 9 after the area code. 13 with country code and 9 become what 11
 * become. Others stay.
 */
export function readChatNumber(typed: string): ChatNumber {
  const digits = digitsOf(typed)
  if (digits === '') return { ok: false, reason: 'empty' }
  if (digits.length < MIN_DIGITS) return { ok: false, reason: 'short' }
  if (digits.length === MIN_DIGITS) return { ok: false, reason: 'no-area' }
  if (digits.length === MOBILE_WITHOUT_AREA) return { ok: false, reason: 'local' }
  return { ok: true, number: chatNumberOf(digits), digits }
}

function chatNumberOf(digits: string): string {
  if (digits.length === 13 && /^55\d\d9/.test(digits)) return chatNumberOf(digits.slice(2))
  if (digits.length === 12 && /^55\d\d9/.test(digits)) return digits.slice(0, 4) + digits.slice(5)
  if (digits.length === 11 && digits[2] === '9') return COUNTRY_CODE + digits.slice(0, 2) + digits.slice(3)
  return digits.length === 10 ? COUNTRY_CODE + digits : digits
}
