// {nome} in a template: replaced by the reader's first name.

export const NAME_PLACEHOLDER = '{nome}'

const PLACEHOLDER = /\{nome\}/gi
const AT_THE_START = /^\{nome\}[^\S\n]*[,!:]?\s*(.?)/iu
const AFTER_WORDS = /,?[^\S\n]*\{nome\}/giu

/** 'Marina' of 'Marina Tavares'; null for a name without a word. */
export function firstName(name: string | null): string | null {
  return name?.split(/\s+/u).find((word) => /\p{L}/u.test(word)) ?? null
}

/** Without a name the placeholder is removed: 'Oi, {nome}!' becomes 'Oi!'. */
export function fillName(text: string, name: string | null): string {
  const first = firstName(name)
  // A function, because a string would interpret $& in a name.
  if (first !== null) return text.replace(PLACEHOLDER, () => first)
  return text
    .replace(AT_THE_START, (_, next: string) => next.toLocaleUpperCase('pt-BR'))
    .replace(AFTER_WORDS, '')
}
