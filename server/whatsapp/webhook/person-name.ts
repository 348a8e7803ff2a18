// The name that a person, or a verified business, gave itself.
import { text, type Fields } from './field.ts'
import { isAddress } from './jid.ts'

/** Nothing that can be seen: spaces, letters without a shape (U+200B, U+3164, a blank of Braille), marks without a letter. */
const INVISIBLE = String.raw`[\s\p{Default_Ignorable_Code_Point}\p{C}\p{M}\u2800]`
/** At the end the sign that makes an emoji of the letter before it stays. */
const AT_END = String.raw`[\s\p{Cc}\u00ad\u115f\u1160\u200b-\u200f\u2060\u2800\u3164\ufeff\uffa0]`
const AROUND = new RegExp(`^${INVISIBLE}+|${AT_END}+$`, 'gu')
const NO_NAME = /^(você|voce|you|null|undefined|unknown)$/i

/** A name that can be read: no number, no address, and not what the gateway calls ourselves. */
function personName(value: unknown): string | null {
  const name = (text(value, 200) ?? '').replace(AROUND, '')
  const isNone = name === '' || NO_NAME.test(name) || /^[\d\s+()-]+$/.test(name) || isAddress(name)
  return isNone ? null : name
}

/** The push name; of a business that has none, the name that WhatsApp verified. */
export function nameOf(data: Fields): string | null {
  return (
    personName(data['pushName']) ?? personName(data['verifiedBizName']) ?? personName(data['verifiedName'])
  )
}
