// Parses one written number: its country, its kind, and whether it can reach a person.
import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { COMPANY } from './number-key.ts'
import { BRAZILIAN, COUNTRY_CODE } from './phone.ts'

/** `either`: in this country, mobiles and landlines cannot be told apart. */
export type NumberKind = 'mobile' | 'either' | 'landline'

export type ReadNumber = {
  /** ISO 3166 code; null for numbers without a country, such as satellite phones. */
  country: string | null
  /** The digits without the country code. */
  national: string
  /** '+5511987654321'; Brazilian mobiles always have the ninth digit. */
  e164: string
  kind: NumberKind
}

/**
 * 'half' is a Brazilian number without an area code, 'service' a service number, which has no WhatsApp. Null if the
 * text is no number.
 */
export type ReadOne = ReadNumber | 'half' | 'service' | null

/** A number's groups of digits as written, without the separators. */
export type Written = { groups: readonly string[]; hasPlus: boolean; isInBrackets: boolean }

const COLLECT_CALL = '90'
/** 0800 and similar numbers, dialled without an area code. */
const NATIONWIDE = /^0[3589]00/
const LOCAL = /^(?:9\d{8}|[2-9]\d{7})$/
const AREA_LENGTH = 2
const LOCAL_OLD_LENGTH = 8

/** `area` is the area code for a number without one; null if none is known. */
export function readOne(written: Written, area: string | null): ReadOne {
  const digits = written.groups.join('')
  const isAbroad = written.hasPlus || (digits.startsWith('00') && !written.isInBrackets)
  if (!isAbroad) return readAtHome(written, digits, area)
  const bare = digits.replace(/^0+/, '')
  if (bare.startsWith(COUNTRY_CODE)) return readAfterCountry(written, bare.slice(COUNTRY_CODE.length))
  // No other country has this number, so it is read as a Brazilian one whose writer forgot the country code.
  return readForeign(bare) ?? readNational(written, bare)
}

/** Tells whether the digits begin with a country code, as in WhatsApp's links. */
export const isInternational = (digits: string): boolean => {
  const read = readOne({ groups: [digits], hasPlus: true, isInBrackets: false }, null)
  return read !== null && typeof read === 'object' && read.e164.slice(1, 4) === digits.slice(0, 3)
}

function readAtHome(written: Written, digits: string, area: string | null): ReadOne {
  if (NATIONWIDE.test(digits)) return 'service'
  const bare = digits.replace(/^0+/, '')
  const afterCountry = bare.startsWith(COUNTRY_CODE)
    ? readAfterCountry(written, bare.slice(COUNTRY_CODE.length))
    : null
  return (
    readNational(written, bare) ??
    (afterCountry === 'half' ? null : afterCountry) ??
    (digits.startsWith('0') ? readNational(written, bare.slice(AREA_LENGTH)) : null) ??
    readCollect(written, bare) ??
    readLocal(written, digits.startsWith('0') ? bare : digits, area)
  )
}

/** Reads what follows +55. A zero and a carrier's two digits may precede the area code. */
function readAfterCountry(written: Written, digits: string): ReadOne {
  if (NATIONWIDE.test(digits)) return 'service'
  const bare = digits.replace(/^0+/, '')
  return (
    readNational(written, bare) ??
    (digits.startsWith('0') ? readNational(written, bare.slice(AREA_LENGTH)) : null) ??
    // The number may lack its area code. An area code from another field is not used here.
    readLocal(written, bare, null)
  )
}

/** Reads collect calls: 90, then the number, perhaps after a carrier's two digits. */
function readCollect(written: Written, bare: string): ReadOne {
  if (!bare.startsWith(COLLECT_CALL)) return null
  const called = bare.slice(COLLECT_CALL.length)
  return (
    readNational(written, called) ??
    readNational(written, called.slice(AREA_LENGTH)) ??
    (called.startsWith(COLLECT_CALL) && LOCAL.test(called.slice(AREA_LENGTH)) ? 'half' : null)
  )
}

/** Reads digits that begin with a Brazilian area code. */
function readNational(written: Written, digits: string): ReadNumber | 'service' | null {
  if (!BRAZILIAN.test(digits)) return null
  const local = digits.slice(AREA_LENGTH)
  if (COMPANY.test(local)) return 'service'
  if (local.length === LOCAL_OLD_LENGTH && !isWhole(written)) return null
  return brazilian(digits.slice(0, AREA_LENGTH), local)
}

function readLocal(written: Written, digits: string, area: string | null): ReadOne {
  if (!LOCAL.test(digits)) return null
  if (COMPANY.test(digits) || typeOf(COUNTRY_CODE + digits) === 'SHARED_COST') return 'service'
  if (area === null) return 'half'
  return digits.length === LOCAL_OLD_LENGTH && !isWhole(written) ? null : brazilian(area, digits)
}

/** An eight-digit mobile of earlier years gets the ninth digit. */
function brazilian(area: string, local: string): ReadNumber | null {
  const national = area + (/^[6-9]\d{7}$/.test(local) ? `9${local}` : local)
  if (!BRAZILIAN.test(national) || typeOf(COUNTRY_CODE + national) === undefined) return null
  const kind = national.length > AREA_LENGTH + LOCAL_OLD_LENGTH ? 'mobile' : 'landline'
  return { country: 'BR', national, e164: `+${COUNTRY_CODE}${national}`, kind }
}

/** False if a number of eight digits is not grouped by fours, because then it is a mobile that lacks a digit. */
function isWhole({ groups }: Written): boolean {
  let behind = groups.reduce((length, group) => length + group.length, 0)
  const ends = groups.map((group) => (behind -= group.length))
  return ends.includes(4) || !ends.some((length) => length > 0 && length < LOCAL_OLD_LENGTH)
}

const typeOf = (digits: string): NumberType => parsePhoneNumberFromString(`+${digits}`)?.getType()

/** Mexican mobiles used to have a 1 after the country code, and WhatsApp still writes it. */
const MEXICAN_MOBILE = /^521(\d{10})$/

function readForeign(digits: string): ReadNumber | 'service' | null {
  const mexican = MEXICAN_MOBILE.exec(digits)?.[1]
  const parsed = parsePhoneNumberFromString(`+${mexican === undefined ? digits : `52${mexican}`}`)
  if (!parsed?.isValid()) return null
  const kind = KIND[parsed.getType() ?? 'VOIP']
  if (kind === null) return 'service'
  return {
    country: parsed.country ?? null,
    national: parsed.nationalNumber,
    e164: mexican === undefined ? parsed.number : `+${digits}`,
    kind: mexican === undefined ? kind : 'mobile',
  }
}

const KIND: Record<NonNullable<NumberType>, NumberKind | null> = {
  MOBILE: 'mobile',
  FIXED_LINE: 'landline',
  FIXED_LINE_OR_MOBILE: 'either',
  PERSONAL_NUMBER: 'either',
  VOIP: 'either',
  PAGER: null,
  PREMIUM_RATE: null,
  SHARED_COST: null,
  TOLL_FREE: null,
  UAN: null,
  VOICEMAIL: null,
}
