// Makes links with which people write to a central number. portal.take_central reads the code from their text.
import { dialledDigits } from './number-key.ts'
import { digitsOf } from './phone.ts'

/** `about` is a development's name; null if the code alone tells what the lead asks about. */
export const centralText = (about: string | null, code: string): string =>
  `Olá! ${about === null ? 'Quero saber mais' : `Quero saber mais sobre ${about}`}. (${code})`

/** Accepts a number in any form that can be dialled. */
export const centralLink = (number: string, text: string): string =>
  `https://wa.me/${dialledDigits(number) ?? digitsOf(number)}?text=${encodeURIComponent(text)}`
