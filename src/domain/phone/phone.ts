// Formats phone numbers for display.

export const COUNTRY_CODE = '55'

/** An area code of Anatel, then a mobile (9 and eight digits) or a landline. */
export const BRAZILIAN =
  /^(1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])(9\d{8}|[2-9]\d{7})$/

/** A foreign number with at least this many digits has its country code. */
const MIN_FOREIGN_DIGITS = 11

/** Returns the digits of a number or of a network address such as 5511955500142@s.whatsapp.net. */
export function digitsOf(number: string): string {
  return (number.split('@')[0] ?? '').replace(/\D/g, '')
}

/**
 * '(11) 95550-0142' for a Brazilian number with or without country code; '+' and the digits for a foreign
 * one.
 */
export function formatPhone(number: string): string {
  const digits = digitsOf(number)
  const isForeign = number.startsWith('+') && !digits.startsWith(COUNTRY_CODE)
  const national = digits.startsWith(COUNTRY_CODE) && digits.length > 11 ? digits.slice(2) : digits
  if (!isForeign && BRAZILIAN.test(national))
    return `(${national.slice(0, 2)}) ${national.slice(2, -4)}-${national.slice(-4)}`
  return digits.length < MIN_FOREIGN_DIGITS && !isForeign ? digits : `+${digits}`
}
