// Phone numbers: one reading of whatever people, forms and the gateway write. The same rule in SQL is portal.number_key;
// tests hold both against one table of cases.

export const COUNTRY_CODE = '55'

/** An area code that Anatel gave, then a mobile (9 and eight digits) or a landline. */
export const BRAZILIAN =
  /^(1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])(9\d{8}|[2-9]\d{7})$/
export const BRAZILIAN_AREA = /^(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])$/
/** From here on a number that is not Brazilian has its country's code. */
const SHORTEST_FOREIGN = 11

/** The digits of a number or of a network address such as 5511955500142@s.whatsapp.net. */
export function digitsOf(number: string): string {
  return (number.split('@')[0] ?? '').replace(/\D/g, '')
}

/**
 * The digits of a number as they are dialled from anywhere: with the country's code, without the zeros of a trunk call;
 * null without any. What is not written with + is Brazilian where it has an area code and the length for it.
 */
export function dialledDigits(written: string): string | null {
  const digits = digitsOf(written).replace(/^0+/, '')
  if (!written.trimStart().startsWith('+') && BRAZILIAN.test(digits)) return COUNTRY_CODE + digits
  return digits === '' ? null : digits
}

/**
 * One text for all forms of a person's number, for matching only, as portal.number_key makes it: Brazilian mobiles without
 * the ninth digit, Mexican and Argentine ones without theirs. Null without a number, and for hidden ids and groups.
 */
export function phoneKey(numberOrJid: string): string | null {
  const [written = '', domain = ''] = numberOrJid.split('@')
  if (!['', 's.whatsapp.net', 'c.us'].includes(domain)) return null
  const number = written.split(':')[0] ?? ''
  // An address of the network names its country.
  const digits = domain === '' ? dialledDigits(number) : digitsOf(number).replace(/^0+/, '')
  if (!digits) return null
  return `+${digits.replace(/^(55[1-9]{2})9([6-9]\d{7})$/, '$1$2').replace(/^(52)1(\d{10})$|^(54)9(\d{10})$/, '$1$2$3$4')}`
}

/** '(11) 95550-0142' for a Brazilian number with or without its country code; '+' and the digits for one of elsewhere. */
export function formatPhone(number: string): string {
  const digits = digitsOf(number)
  const national = digits.startsWith(COUNTRY_CODE) && digits.length > 11 ? digits.slice(2) : digits
  if (BRAZILIAN.test(national))
    return `(${national.slice(0, 2)}) ${national.slice(2, -4)}-${national.slice(-4)}`
  return digits.length < SHORTEST_FOREIGN ? digits : `+${digits}`
}
