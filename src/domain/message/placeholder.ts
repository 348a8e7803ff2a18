// {nome} in a text that is written once and sent to many: the first name of who reads it.

export const NAME_PLACEHOLDER = '{nome}'

const PLACEHOLDER = /\{nome\}/gi
const AT_THE_START = /^\{nome\}[^\S\n]*[,!:]?\s*(.?)/iu
const AFTER_WORDS = /,?[^\S\n]*\{nome\}/giu

/** 'Marina' of 'Marina Tavares'; null where a name has no word in it. */
export function firstName(name: string | null): string | null {
  return name?.split(/\s+/u).find((word) => /\p{L}/u.test(word)) ?? null
}

/** Of somebody without a name nothing is said: 'Oi, {nome}!' is 'Oi!'. */
export function fillName(text: string, name: string | null): string {
  const first = firstName(name)
  // As a function, or $& in a name would be a pattern.
  if (first !== null) return text.replace(PLACEHOLDER, () => first)
  return text
    .replace(AT_THE_START, (_, next: string) => next.toLocaleUpperCase('pt-BR'))
    .replace(AFTER_WORDS, '')
}
