// Text that the database takes, whoever wrote it.

/** Without NUL and without halves of surrogate pairs. */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\ufffd')
}
