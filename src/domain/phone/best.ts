// The phone by which somebody is reached, of all that a source tells: however it is written, the most complete one wins.
import { COUNTRY_CODE, dialledDigits, digitsOf } from './phone.ts'

/** `half`: what is too short to be dialled, as it was told, where nothing better is there. */
type Best = { number: string | null; half: string | null; isBrazilian: boolean }

/** The shortest and longest that can be dialled from abroad, with the country's code. */
const SHORTEST = 10
const LONGEST = 15
const MOBILE = 4
const LANDLINE = 3
const ABROAD = 2
const PERHAPS = 1

/** Digits with the country's code. The area code, told apart, belongs to whatever lacks one. */
export function bestPhone(values: readonly unknown[], areaCode?: unknown): Best {
  const area = digitsOf(
    typeof areaCode === 'number' ? String(areaCode) : typeof areaCode === 'string' ? areaCode : '',
  ).replace(/^0+/, '')
  const written = values.flatMap(writtenIn)
  const read = written.flatMap((text) => readWritten(text, area) ?? [])
  // Of equals the first: sort is stable.
  const [best] = read.toSorted((a, b) => b.rank - a.rank)
  return {
    number: best?.number ?? null,
    half: best ? null : (written.find((text) => digitsOf(text) !== '') ?? null),
    isBrazilian: (best?.rank ?? 0) >= LANDLINE,
  }
}

/** One text may name several, 'x / y' or 'x ou y'; an extension is none of the number's. */
function writtenIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(writtenIn)
  if (typeof value !== 'string' && typeof value !== 'number') return []
  return String(value)
    .slice(0, 300)
    .split(/[;,/|\n]|\s(?:ou|e)\s/i)
    .map((text) =>
      text
        .replace(/(?:ramal|ext\.?|r\.)\s*\d+.*$/i, '')
        .trim()
        .slice(0, 40),
    )
    .filter((text) => text !== '')
}

function readWritten(text: string, area: string): { number: string; rank: number } | null {
  const digits = digitsOf(text)
  const bare = digits.replace(/^0+/, '')
  const isAbroad = text.startsWith('+') || text.startsWith('00')
  const home = isAbroad
    ? [bare.slice(COUNTRY_CODE.length)].filter(() => bare.startsWith(COUNTRY_CODE))
    : [
        bare,
        area + bare,
        ...(bare.startsWith(COUNTRY_CODE) ? [bare.slice(COUNTRY_CODE.length)] : []),
        // 0, a carrier's two digits, and the number.
        ...(digits.startsWith('0') ? [bare.slice(2)] : []),
      ]
  const national = home.find(isBrazilian)
  if (national !== undefined)
    return { number: COUNTRY_CODE + national, rank: national.length === 11 ? MOBILE : LANDLINE }
  if (bare.length < SHORTEST || bare.length > LONGEST) return null
  return { number: bare, rank: isAbroad ? ABROAD : PERHAPS }
}

const isBrazilian = (national: string) => dialledDigits(national) === COUNTRY_CODE + national
