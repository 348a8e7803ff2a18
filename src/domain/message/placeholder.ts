// Replaces the placeholder {nome} of a text by how the lead is addressed.
import { callName } from './call-name.ts'

export const NAME_PLACEHOLDER = '{nome}'

const PLACEHOLDER = /\{nome\}/gi
const AT_THE_START = /^\{nome\}[^\S\n]*[,!:]?\s*(.?)/iu
const AFTER_WORDS = /,?[^\S\n]*\{nome\}/giu

/** Without a name the placeholder is removed: 'Oi, {nome}!' becomes 'Oi!'. */
export function fillName(text: string, name: string | null): string {
  const first = callName(name)
  // A function, because a replacement string would interpret $& in a name.
  if (first !== null) return text.replace(PLACEHOLDER, () => first)
  return text
    .replace(AT_THE_START, (_, next: string) => next.toLocaleUpperCase('pt-BR'))
    .replace(AFTER_WORDS, '')
}
