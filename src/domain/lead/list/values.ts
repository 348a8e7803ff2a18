// Reads amounts, days and tags as other systems write them.
import { foldText } from '#domain/search.ts'
import { zonedMs } from '#domain/zone.ts'

/** The database's limit for whatsapp_contacts.value_cents; larger amounts are not read. */
const MAX_CENTS = 100_000_000_000
const AMOUNT = /^(?:r\$|brl)?\s*([\d.,]+)\s*(k|mil|mi|m|milhao|milhoes)?(?:\s*(?:reais|brl))?$/
const BRAZILIAN = /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/
const ENGLISH = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/

/** Reads 'R$ 450.000,00', '450000', '450,000.00', '450 mil' or '1,2 milhão' as cents; null for anything else. */
export function readCents(text: string): number | null {
  const [, figures = '', unit] = AMOUNT.exec(foldText(text).trim()) ?? []
  const factor = unit === undefined ? 1 : unit === 'k' || unit === 'mil' ? 1_000 : 1_000_000
  const [, whole = '', part = ''] =
    BRAZILIAN.exec(figures) ??
    ENGLISH.exec(figures) ??
    (unit === undefined ? [] : (/^(\d+)[.,](\d+)$/.exec(figures) ?? []))
  if (whole === '') return null
  const cents = Math.round(Number(`${whole.replace(/[.,]/g, '')}.${part || '0'}`) * factor * 100)
  return cents <= MAX_CENTS ? cents : null
}

const DAY_MS = 86_400_000
/** Earlier years count as typing errors, and the day as unreadable. */
const MIN_YEAR = 1990
const NOON = 12
const BRAZILIAN_DAY =
  /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:,?\s+(?:as\s+)?(\d{1,2})[:h](\d{2})(?::\d{2})?)?$/
const ISO_DAY =
  /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[t\s]+(\d{2}):(\d{2})(?::\d{2}(?:[.,]\d+)?)?\s*(z|[+-]\d{2}:?\d{2})?)?$/

/** Reads '20/11/2026', '20/11/26 09:41' or '2026-11-20T09:41:00-03:00'. A day without an hour counts as noon. */
export function readDayMs(text: string): number | null {
  const folded = foldText(text).trim()
  const iso = ISO_DAY.exec(folded)
  const written = BRAZILIAN_DAY.exec(folded)
  const [year, month, day, hour, minute, zone] = iso
    ? iso.slice(1)
    : written
      ? [written[3], written[2], written[1], written[4], written[5]]
      : []
  if (year === undefined || month === undefined || day === undefined) return null
  const fullYear = Number(year) < 100 ? 2000 + Number(year) : Number(year)
  const noonMs = Date.UTC(fullYear, Number(month) - 1, Number(day))
  const isDay =
    new Date(noonMs).getUTCMonth() === Number(month) - 1 && new Date(noonMs).getUTCDate() === Number(day)
  if (!isDay || fullYear < MIN_YEAR || Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59) return null
  if (zone === undefined)
    return zonedMs(noonMs / DAY_MS, hour === undefined ? NOON : Number(hour), Number(minute ?? 0))
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? []
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  return noonMs + (Number(hour) * 60 + Number(minute) - offsetMinutes) * 60_000
}

const MAX_TAGS = 12
const MAX_TAG = 24

/** Splits tags at commas, semicolons and bars. Long tags are cut; those beyond a lead's limit are left out. */
export const readTags = (text: string): string[] =>
  [
    ...new Set(
      text
        .split(/[,;|\n]/)
        .map((tag) => tag.trim().slice(0, MAX_TAG).trimEnd())
        .filter((tag) => tag !== ''),
    ),
  ].slice(0, MAX_TAGS)
