// Phone numbers as people in Brazil read them.

export const COUNTRY_CODE = '55'

/** The digits of a number or of a network address such as 5511955500142@s.whatsapp.net. */
export function digitsOf(number: string): string {
  return (number.split('@')[0] ?? '').replace(/\D/g, '')
}

/** '(11) 95550-0142' for a Brazilian number with or without its country code; any other keeps its digits. */
export function formatPhone(number: string): string {
  const digits = digitsOf(number)
  const national = digits.length > 11 && digits.startsWith(COUNTRY_CODE) ? digits.slice(2) : digits
  if (national.length === 10 || national.length === 11) {
    return `(${national.slice(0, 2)}) ${national.slice(2, -4)}-${national.slice(-4)}`
  }
  return digits.length > 11 ? `+${digits}` : digits
}
