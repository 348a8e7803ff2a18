// The stored form and the comparison key of phone numbers. read.ts parses what people type; this file reads only
// canonical numbers, network addresses and plain Brazilian forms. portal.number_digits and portal.number_key have the
// same rules; tests compare both.
import { BRAZILIAN, COUNTRY_CODE, digitsOf } from './phone.ts'

export const BRAZILIAN_AREA = /^(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])$/
/** Companies have nationwide numbers such as 4004 and 3003. */
export const COMPANY = /^(?:400\d|300[3-5])\d{4}$/
/** Eight digits at the end, in one group or in two of four. Other groups mean that a mobile lacks a digit. */
const BY_FOURS = /(?:\D\d{4}|\d{8})$/
const AREA_LENGTH = 2
const LANDLINE_LENGTH = 10

/** A '+' and the digits with country code. */
const CANONICAL = /^\+[1-9]\d{6,14}$/
const PLAIN = /^\+?[-0-9 ().\t\u00A0]+$/
const UNSEEN = /\u034F|[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g
const BLANK_EDGES = /^[ \t\r\n\u00A0]+|[ \t\r\n\u00A0]+$/g

/**
 * Returns the digits with country code, as dialled from abroad. Reads canonical numbers, network addresses and plain
 * Brazilian numbers with area code. Null for anything else, which only read.ts can parse.
 */
export function dialledDigits(numberOrJid: string): string | null {
  const [user = '', domain] = numberOrJid.split('@')
  if (domain !== undefined) {
    if (domain !== 's.whatsapp.net' && domain !== 'c.us') return null
    return digitsOf(user.split(':')[0] ?? '').replace(/^0+/, '') || null
  }
  if (CANONICAL.test(numberOrJid)) return numberOrJid.slice(1)
  const written = numberOrJid.replace(UNSEEN, '').replace(BLANK_EDGES, '')
  if (!PLAIN.test(written)) return null
  const digits = digitsOf(written)
  const bare = digits.replace(/^0+/, '')
  const isAbroad = written.startsWith('+') || digits.startsWith('00')
  const national = !isAbroad && isPersonal(bare, written) ? bare : afterCountry(bare)
  return national !== null && isPersonal(national, written) ? COUNTRY_CODE + national : null
}

const afterCountry = (bare: string): string | null =>
  bare.startsWith(COUNTRY_CODE) ? bare.slice(COUNTRY_CODE.length).replace(/^0+/, '') : null

const isPersonal = (national: string, written: string): boolean =>
  BRAZILIAN.test(national) &&
  !COMPANY.test(national.slice(AREA_LENGTH)) &&
  (national.length > LANDLINE_LENGTH || BY_FOURS.test(written))

/**
 * Returns the key by which forms of one number match, same as portal.number_key. It lacks the extra mobile digit of
 * Brazil, Mexico and Argentina. Null if there is no number, and for hidden ids and groups.
 */
export function phoneKey(numberOrJid: string): string | null {
  const digits = dialledDigits(numberOrJid)
  if (digits === null) return null
  return `+${digits.replace(/^(55[1-9]{2})9([6-9]\d{7})$/, '$1$2').replace(/^(52)1(\d{10})$|^(54)9(\d{10})$/, '$1$2$3$4')}`
}

/**
 * Returns a number as leads store it, same as portal.shown_number: Brazilian numbers as digits, foreign ones with +.
 */
export const storedNumber = (e164: string): string =>
  e164.startsWith(`+${COUNTRY_CODE}`) ? e164.slice(1) : e164
