// Prepares a text for number parsing: removes invisible characters, undoes machine formats, and masks digits that are
// no numbers.
import { isInternational } from './one-number.ts'

const MAX_LENGTH = 500

/**
 * Returns the text with numbers of spreadsheets as digits. It begins with a space, so that patterns may look at the
 * character before.
 */
export function plainText(text: string): string {
  return (
    ` ${text.slice(0, MAX_LENGTH)}`
      .normalize('NFKC')
      .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
      .replaceAll(/[\p{Pd}\u2212]/gu, '-')
      // Two lines of digits are two numbers, or an area code and its number.
      .replaceAll(/(?<=\d)[^\S\n]*\n\s*(?=[+([]*\d)/gu, ' / ')
      .replaceAll(/[\s\p{Cc}_]+/gu, ' ')
      .replaceAll('[', '(')
      .replaceAll(']', ')')
      // For example 11,987,654,321.
      .replaceAll(/(?<![\d.,])\d{1,3}([.,])\d{3}(?:\1\d{3}){1,4}(?![.,]\d{3}|[-/]?\d)/g, (grouped) =>
        grouped.replaceAll(/[.,]/g, ''),
      )
      // For example 11987654321.0.
      .replaceAll(/(?<!\d)(\d{8,15})[.,]0{1,2}(?!\d)/g, '$1')
      .replaceAll(EXPONENT, (written) => expanded(written) ?? written)
  )
}

const EXPONENT = /(?<![\d.,])\d(?:[.,]\d+E\+?|E\+)\d{1,2}(?!\d)/gi
/**
 * A rounded number has fewer digits than this. A number in exponential form with more digits only lost zeros at its
 * end.
 */
const KEPT_DIGITS = 10
const MAX_DIGITS = 15

function expanded(written: string): string | null {
  const [digits = '', exponent] = written.replace(/[.,+]/g, '').split(/e/i)
  const length = Number(exponent) + 1
  const isWhole = digits.length >= KEPT_DIGITS && digits.length <= length && length <= MAX_DIGITS
  return isWhole ? digits.padEnd(length, '0') : null
}

/** True if a spreadsheet rounded a number, such as 1,19877E+10, so that its last digits are lost. */
export const isRounded = (plain: string): boolean =>
  plain.search(EXPONENT) !== -1 || plain.search(FRACTION) !== -1

/** A spreadsheet's number with a fraction, such as 1195550014.2; a digit may be lost. */
const FRACTION = /(?<!\d)\d{8,15}[.,][1-9](?![\d.,-])/g

const BREAK = ';'
const broken = (text: string) => BREAK.repeat(text.length)

/** Masks digits that are no phone number. The length stays, so that positions stay valid. */
export function maskedText(plain: string): string {
  return (
    plain
      .replaceAll(/(?:wa\.me\/|[?&]phone=)(?:\+|%2B)?(\d{8,15})[^\s,;|]*/gi, asLink)
      .replaceAll(/\D(\d{8,15})(?:_\d+)?(?::\d+)?@(?:s\.whatsapp\.net|c\.us)/gi, asAddress)
      .replaceAll(/[^\s;,|]+@[^\s;,|]+|https?:\/\/[^\s;|]+/gi, broken)
      // In '0xx11' the x stand for any carrier's digits.
      .replaceAll(/0?[ (]*(?:xx|\*\*)(?=[ )]*\(?\d\d)/gi, (text) => '0'.padEnd(text.length))
      .replaceAll(EXPONENT, broken)
      .replaceAll(FRACTION, broken)
      .replaceAll(EXTENSION, broken)
      .replaceAll(NO_PHONE, broken)
  )
}

/** Numbers in WhatsApp's links begin with the country code. If one does not, it is parsed as written. */
function asLink(link: string, digits: string): string {
  const at = link.indexOf(digits)
  const sign = isInternational(digits) ? '+' : BREAK
  return `${broken(link.slice(0, at - 1))}${sign}${digits}${broken(link.slice(at + digits.length))}`
}

const asAddress = (address: string, digits: string) =>
  `${isInternational(digits) ? '+' : BREAK}${digits}${broken(address.slice(1 + digits.length))}`

const EXTENSION =
  /(?<=\d)[\s,;/(-]*(?:(?:ramal|ramais|rml|ext(?:ens[aã]o|ension)?)[\s.:º°-]*\d{1,6}|[rx][\s.:º°-]*\d{1,5}(?![\s().-]*\d))/giu

const NO_PHONE = new RegExp(
  [
    // Matches hours and dates.
    String.raw`(?<!\d)\d{1,2}\s?(?:h|hs|hrs?|horas?)(?:\s?\d\d)?(?![\p{L}\d])`,
    String.raw`(?<![\d:])\d{1,2}:\d\d(?![\d-])`,
    String.raw`(?<!\d)\d{1,2}/\d{1,2}/(?:\d{4}|\d\d)(?!\d)`,
    String.raw`(?<![\d-])(?:19|20)\d\d-\d\d-\d\d(?!\d)`,
    // Matches CPF, CNPJ and CEP, the Brazilian numbers of persons, companies and postal areas.
    String.raw`(?<!\d)\d{3}\.\d{3}\.\d{3}-\d\d(?!\d)`,
    String.raw`(?<!\d)\d\d\.\d{3}\.\d{3}/\d{4}-\d\d(?!\d)`,
    String.raw`(?<![\d-])\d{5}-\d{3}(?!\d)`,
    String.raw`(?<![\p{L}\d])(?:cpf|cnpj|rg|cep|c[oó]d(?:igo)?|id|protocolo|pedido|matr[ií]cula|conta|ag[eê]ncia|r\$)[\s.:nº°-]{0,4}\d[\d.,/-]*`,
  ].join('|'),
  'giu',
)
