// Finds leads by name, number, note or development. Accents, case and punctuation do not matter.
import type { Lead } from './lead/lead.ts'
import { digitsOf } from './phone/phone.ts'

type Folded = { name: string; numbers: string; notes: string }

export type Query = { words: readonly string[]; digits: string | null }

/** How well a lead matches: lower is better. */
const RANK = { nameBegins: 0, name: 1, number: 2, notes: 3 }

export const RANKS = Object.keys(RANK).length

/** Returns the text in lower case, without accents, with single spaces. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * Reads what was typed into the search. Digits are searched as a number, whatever their separators. Returns null if the
 * search is empty.
 */
export function toQuery(text: string): Query | null {
  const folded = foldText(text)
  if (folded === '') return null
  const digits = /^[\d\s()+.\-/]+$/.test(folded) ? folded.replace(/\D/g, '') : ''
  return { words: folded.split(' '), digits: digits || null }
}

/** Caches each lead's searchable text. Leads are immutable, so the text never changes. */
const folds = new WeakMap<Lead, Folded>()

export function foldLead(lead: Lead): Folded {
  const known = folds.get(lead)
  if (known) return known
  const folded = {
    name: foldText(lead.name ?? ''),
    numbers: numberForms(lead.number ?? '').join(' '),
    notes: foldText([lead.notes, lead.development, ...(lead.interests ?? [])].join(' ')),
  }
  folds.set(lead, folded)
  return folded
}

/** A Brazilian mobile is found with and without the 9 after its area code. */
function numberForms(number: string): string[] {
  const digits = digitsOf(number)
  const mobile = /^(55\d{2})(9?)([6-9]\d{7})$/.exec(digits)
  if (!mobile) return [digits]
  const [, area, , local] = mobile
  return [`${area}9${local}`, `${area}${local}`]
}

/** Returns the rank of a lead for a query; null if it does not match. */
export function rankOf(lead: Lead, { words, digits }: Query): number | null {
  const { name, numbers, notes } = foldLead(lead)
  if (words.every((word) => name.includes(word))) {
    const first = words[0] ?? ''
    return name.startsWith(first) || name.includes(` ${first}`) ? RANK.nameBegins : RANK.name
  }
  const isNumber =
    digits !== null && (numbers.includes(digits) || words.every((word) => isInNumber(word, numbers)))
  if (isNumber) return RANK.number
  const isMeant = words.every(
    (word) => name.includes(word) || notes.includes(word) || isInNumber(word, numbers),
  )
  return isMeant ? RANK.notes : null
}

/** True if a word of the query may be part of a number, such as '(11)' or '95550-0142'. */
function isInNumber(word: string, numbers: string): boolean {
  const digits = word.replace(/[()+.\-/]/g, '')
  return digits.length > 1 && /^\d+$/.test(digits) && numbers.includes(digits)
}
