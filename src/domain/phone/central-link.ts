// The link by which somebody writes to a central number: its text says by a code what it is about, as portal.take_central reads it.
import { dialledDigits } from './number-key.ts'
import { digitsOf } from './phone.ts'

/** `about`: a development; null where the code says it all. */
export const centralText = (about: string | null, code: string): string =>
  `Olá! ${about === null ? 'Quero saber mais' : `Quero saber mais sobre ${about}`}. (${code})`

/** `number` in any form that can be dialled. */
export const centralLink = (number: string, text: string): string =>
  `https://wa.me/${dialledDigits(number) ?? digitsOf(number)}?text=${encodeURIComponent(text)}`
