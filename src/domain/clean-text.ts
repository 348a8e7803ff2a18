// Prepares texts for the database.

/** Removes NUL characters and unpaired surrogates, which the database refuses. */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\ufffd')
}

/** Cuts a text to a length, without half a surrogate pair at the end. */
export const cutText = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
