// The profile name of a person or a verified business.
import { text, type Fields } from './field.ts'
import { isAddress } from './jid.ts'

/** Invisible characters: spaces, blanks (U+200B, U+3164, Braille), combining marks without a letter. */
const INVISIBLE = String.raw`[\s\p{Default_Ignorable_Code_Point}\p{C}\p{M}\u2800]`
/** At the end, the variation selector of an emoji stays. */
const AT_END = String.raw`[\s\p{Cc}\u00ad\u115f\u1160\u200b-\u200f\u2060\u2800\u3164\ufeff\uffa0]`
const AROUND = new RegExp(`^${INVISIBLE}+|${AT_END}+$`, 'gu')
const NO_NAME = /^(você|voce|you|null|undefined|unknown)$/i

/** A readable name: no number, no address, and not the gateway's word for ourselves. */
function personName(value: unknown): string | null {
  const name = (text(value, 200) ?? '').replace(AROUND, '')
  const isNone = name === '' || NO_NAME.test(name) || /^[\d\s+()-]+$/.test(name) || isAddress(name)
  return isNone ? null : name
}

/** The push name; for a business without one, its verified name. */
export function nameOf(data: Fields): string | null {
  return (
    personName(data['pushName']) ?? personName(data['verifiedBizName']) ?? personName(data['verifiedName'])
  )
}
