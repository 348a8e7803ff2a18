// Turns one row of an imported list into a lead, or a fault.
import { cleanText, cutText } from '#domain/clean-text.ts'
import { phoneKey, storedNumber } from '#domain/phone/number-key.ts'
import { formatDate } from '#domain/format.ts'
import { type NumberFault, numbersIn } from '#domain/phone/read.ts'
import { isName, tidyName } from '../adding.ts'
import type { ListRow, RowFault } from './fields.ts'
import { plainTitle, readTitle } from './titles.ts'
import { readCents, readDayMs, readTags } from './values.ts'

/** A lead of an imported row, in the form that portal.take_import_rows takes. */
export type ListLead = {
  name: string | null
  /** Written like portal.shown_number; null if the lead has only an e-mail. */
  number: string | null
  /** The comparison key of `number`, as portal.number_key computes it; null if there is no number. */
  key: string | null
  /** Further numbers of the person, written like `number`. */
  numbers: readonly string[]
  /** The e-mail address in lower case; null if there is none. */
  email: string | null
  development: string | null
  source: string | null
  campaign: string | null
  note: string | null
  /** The stage as the list names it; null if there is none. */
  stage: string | null
  /** The broker as the list names it, or the instance name that was assigned to it. Null if there is none. */
  broker: string | null
  /** The slug of the stage that was assigned to `stage`; null if there is none. */
  boardStage: string | null
  valueCents: number | null
  tags: readonly string[]
  arrivedAt: string | null
  lastContactAt: string | null
}

export type ReadRow = { lead: ListLead; fault: null } | { lead: null; fault: RowFault }

const MAX_LETTERS = {
  name: 200,
  email: 1_000,
  development: 120,
  source: 60,
  campaign: 200,
  note: 4_000,
  stage: 60,
  broker: 120,
  boardStage: 60,
} as const
const MAX_NUMBERS = 10
const MAX_EMAIL = 254
const EMAILS = /[^\s<>"'(),;:|/@]+@[^\s<>"'(),;:|/@]+\.[a-z]{2,}/gi
/** Meta's tool for testing forms writes this text into every field. */
const TEST_LEAD = /^(?:p:)?\W*test lead: dummy data\b/i

const FAULT: Record<NumberFault, RowFault> = {
  empty: 'no-contact',
  area: 'half-phone',
  cut: 'cut-phone',
  service: 'service-phone',
  number: 'bad-phone',
}

/** The time of the import. A later arrival or last contact refuses the row, because neither can be in the future. */
type Read = { nowMs: number }

/**
 * Reads a row as a lead or a fault. Too long values are cut. Invalid numbers and e-mails go into the note if the row
 * has a valid one too.
 */
export function readRow(row: ListRow, { nowMs }: Read = { nowMs: Number.POSITIVE_INFINITY }): ReadRow {
  const refuse = (fault: RowFault): ReadRow => ({ lead: null, fault })
  if ([row.name, row.phone, row.email].some((cell) => cell !== undefined && TEST_LEAD.test(cell)))
    return refuse('test')
  const text = (field: keyof typeof MAX_LETTERS) =>
    cutText(cleanText(row[field] ?? '').trim(), MAX_LETTERS[field]).trimEnd() || null
  const written = [row.phone, row.otherPhone].flatMap((phone) => phone?.trim() || [])
  const { numbers, rest, fault } = numbersIn(written)
  const [number, ...others] = numbers
  const given = text('email')
  const [email = null, ...otherEmails] = emailsIn(given ?? '')
  if (number === undefined && email === null) {
    if (isTitles(row)) return refuse('titles')
    // A phone column with words only is reported, because the person may have meant a number.
    return refuse(fault === 'empty' && written.length > 0 ? 'bad-phone' : FAULT[fault ?? 'empty'])
  }
  const valueCents = filled(row.value, readCents)
  if (valueCents === 'bad') return refuse('bad-value')
  const [arrivedMs, lastContactMs] = [filled(row.arrivedAt, readDayMs), filled(row.lastContactAt, readDayMs)]
  if (arrivedMs === 'bad' || (arrivedMs ?? 0) > nowMs) return refuse('bad-arrival')
  if (lastContactMs === 'bad' || (lastContactMs ?? 0) > nowMs) return refuse('bad-last-contact')
  const name = tidyName(text('name') ?? '')
  const more = [
    otherEmails.length > 0 &&
      `${otherEmails.length > 1 ? 'Outros e-mails' : 'Outro e-mail'}: ${otherEmails.join(', ')}`,
    given !== null && email === null && `E-mail na lista: ${given}`,
    // The note gets the whole phone cell, because words between the numbers may tell whose they are.
    lastContactMs !== null && `Último contato: ${formatDate(lastContactMs)}`,
    rest !== '' && `Telefone na lista: ${cutText(cleanText(written.join(' ; ')), 300)}`,
  ]
  return {
    fault: null,
    lead: {
      name: isName(name) ? name : null,
      number: number === undefined ? null : storedNumber(number.e164),
      key: number === undefined ? null : phoneKey(number.e164),
      numbers: others.slice(0, MAX_NUMBERS).map(({ e164 }) => storedNumber(e164)),
      email,
      development: text('development'),
      source: slugOf(text('source')),
      campaign: text('campaign'),
      note: [text('note'), ...more].filter((part) => typeof part === 'string').join('\n') || null,
      stage: stageOf(text('stage')),
      broker: text('broker'),
      boardStage: text('boardStage'),
      valueCents,
      tags: readTags(cleanText(row.tags ?? '')),
      arrivedAt: instantOf(arrivedMs),
      lastContactAt: instantOf(lastContactMs),
    },
  }
}

/** Returns the cell's value; null if the cell is empty, 'bad' if `read` cannot read it. */
function filled<Value>(cell: string | undefined, read: (text: string) => Value | null): Value | 'bad' | null {
  const text = cleanText(cell ?? '').trim()
  return text === '' ? null : (read(text) ?? 'bad')
}

const instantOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

/** Returns the e-mails in a text, in lower case, each once. */
const emailsIn = (text: string) => [
  ...new Set(
    (text.match(EMAILS) ?? []).map((one) => one.toLowerCase()).filter((one) => one.length <= MAX_EMAIL),
  ),
]

/** Stage names that only mean 'new lead', so that they become no tag. */
const NO_STAGE =
  /^(?:novos?|new|created|leads?|novos? (?:leads?|contatos?)|(?:contato|etapa) inicial|sem contato|abert[oa]|open|ativ[oa]|active)$/

const stageOf = (stage: string | null) => (stage === null || NO_STAGE.test(plainTitle(stage)) ? null : stage)

/** True if a row repeats the titles, as reports do on each page. */
function isTitles(row: ListRow): boolean {
  const cells = [row.name, row.phone, row.email].flatMap((cell) => cell ?? [])
  return cells.length > 1 && cells.every((cell) => readTitle(cell) !== null && plainTitle(cell).length < 40)
}

/** Turns 'Mídia física' into 'midia-fisica', so that reports count imported leads together with those from forms. */
function slugOf(source: string | null): string | null {
  const slug = (source ?? '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return slug === '' ? null : slug
}
