// Normalises a person's data as Meta requires, and hashes them (SHA-256 in lower-case hex). Click ids are not hashed.
import { createHash } from 'node:crypto'
import { dialledDigits } from '#domain/phone/number-key.ts'

export const hashed = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

const unique = (texts: readonly string[]) => [...new Set(texts)]
const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{Mn}+/gu, '')

/** A Brazilian mobile without its ninth digit, as older WhatsApp ids write it. */
const WITHOUT_NINTH = /^(55\d{2})([6-9]\d{7})$/

/**
 * Digits with country code, without '+'. A number that lacks the ninth digit is returned with it and without it,
 * because Meta may know either form.
 */
export function phoneForms(number: string | null, jids: readonly string[]): string[] {
  const forms = [number, ...jids].flatMap((one) => {
    const digits = one === null ? null : dialledDigits(one)
    if (digits === null) return []
    const whole = digits.replace(WITHOUT_NINTH, '$19$2')
    return whole === digits ? [digits] : [whole, digits]
  })
  return unique(forms)
}

/** In lower case; dots and '+' stay. */
export const emailForm = (email: string): string => email.trim().toLowerCase()

/** The first and the last word without punctuation, each with and without accents. A single word is a first name. */
export function nameForms(name: string): { first: string[]; last: string[] } {
  const words = name
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/[^\p{L}\p{M}]/gu, ''))
    .filter((word) => word !== '')
  const formsOf = (word: string | undefined) =>
    word === undefined ? [] : unique([word, withoutAccents(word)])
  return { first: formsOf(words[0]), last: formsOf(words.length > 1 ? words.at(-1) : undefined) }
}
