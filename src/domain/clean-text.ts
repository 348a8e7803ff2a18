// Text in a form that the database accepts.

/** Removes NUL and unpaired surrogates. */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\ufffd')
}

/** Cuts a text to a length, without half a surrogate pair at the end. */
export const cutText = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
