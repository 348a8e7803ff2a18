// Text that the database takes, whoever wrote it.

/** Without NUL and without halves of surrogate pairs. */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\ufffd')
}

/** As much of it as that; half of a letter at the end is left out. */
export const cutText = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
