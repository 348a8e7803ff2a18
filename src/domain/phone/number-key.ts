// Phone numbers as they are stored and compared. What people write is read by read.ts; here are only canonical numbers, network
// addresses and plain Brazilian forms. The same rules in SQL are portal.number_digits and portal.number_key; tests hold both
// against one table of cases.
import { BRAZILIAN, COUNTRY_CODE, digitsOf } from './phone.ts'

export const BRAZILIAN_AREA = /^(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])$/
/** 4004 and 3003: a company in every area, and no person. */
export const COMPANY = /^(?:400\d|300[3-5])\d{4}$/
/** Eight digits of a local number in one piece or by fours: any other grouping is a mobile of which one is missing. */
const BY_FOURS = /(?:\D\d{4}|\d{8})$/
const AREA_LENGTH = 2
const LANDLINE_LENGTH = 10

/** '+' and the digits with the country's code. */
const CANONICAL = /^\+[1-9]\d{6,14}$/
const PLAIN = /^\+?[-0-9 ().\t\u00A0]+$/
const UNSEEN = /\u034F|[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g
const BLANK_EDGES = /^[ \t\r\n\u00A0]+|[ \t\r\n\u00A0]+$/g

/**
 * The digits with the country's code, as they are dialled from anywhere: of a canonical number, of a network address, or of a
 * Brazilian number with its area code in a plain form. Null for anything else: only the reader knows other countries and words.
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
 * One text for all forms of a person's number, for matching only, as portal.number_key makes it: Brazilian mobiles without
 * the ninth digit, Mexican and Argentine ones without theirs. Null without a number, and for hidden ids and groups.
 */
export function phoneKey(numberOrJid: string): string | null {
  const digits = dialledDigits(numberOrJid)
  if (digits === null) return null
  return `+${digits.replace(/^(55[1-9]{2})9([6-9]\d{7})$/, '$1$2').replace(/^(52)1(\d{10})$|^(54)9(\d{10})$/, '$1$2$3$4')}`
}

/** A canonical number as a lead keeps it: a Brazilian one in digits, one of elsewhere with its plus; portal.shown_number in SQL. */
export const storedNumber = (e164: string): string =>
  e164.startsWith(`+${COUNTRY_CODE}`) ? e164.slice(1) : e164
