// Recognises made-up numbers that people type into forms.
import { phoneKey } from './number-key.ts'

const LOCAL_DIGITS = 8
const EQUAL = /^(\d)\1+$/
const ASCENDING = '0123456789012345'

export const IMPROBABLE = 'número improvável'

/** True if the last eight digits are equal or ascending. portal.is_improbable has the same rule. */
export function isImprobable(number: string): boolean {
  const local = phoneKey(number)?.slice(-LOCAL_DIGITS) ?? ''
  return local.length === LOCAL_DIGITS && (EQUAL.test(local) || ASCENDING.includes(local))
}
