// Replaces personal numbers and addresses by masks before a text leaves the portal, and restores them in the
// answer.

/** The pattern begins at the start of a word, so that a long word is scanned only once. */
const EMAIL = /(?<![\p{L}\d._%+-])[\p{L}\d._%+-]+[@＠][\p{L}\d-]+(?:\.[\p{L}\d-]+)+/gu
/** 'ana @ gmail.com', as phone keyboards insert spaces. */
const SPACED_EMAIL =
  /(?<![\p{L}\d._%+-])[\p{L}\d._%+-]+ ?@ ?[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.(?:com|net|org|br)\b/giu
const CPF = /(?<!\p{Nd}\.?)\p{Nd}{3}[. ]{0,2}\p{Nd}{3}[. ]{0,2}\p{Nd}{3}[\p{Pd}./ ]{0,3}\p{Nd}{2}(?!\p{Nd})/gu
/** Eight digits or more, grouped as people write numbers; prices and dates use other separators. */
const PHONE =
  /(?<!\p{Nd}[.,]?|\$)\+?\(?\p{Nd}(?:(?:[\s()\p{Pd}\p{Cf}]{0,2}|\)? \p{Pd} )\p{Nd}){7,14}(?![\p{Nd}.,]\p{Nd})/gu
/** '11.95550.0187', '11/95550-0187', '95550.0187'; a price has groups of three digits. */
const DOTTED =
  /(?<!\p{Nd}[.,]?|\$)(?:\+?55[. ])?(?:\(?\p{Nd}{2}\)?[./ ]{0,2})?(?:\p{Nd}[. ])?\p{Nd}{4,5}[. \p{Pd}]\p{Nd}{4}(?!\p{Nd})/gu
const KINDS = [
  ['e-mail', EMAIL],
  ['e-mail', SPACED_EMAIL],
  ['cpf', CPF],
  ['telefone', PHONE],
  ['telefone', DOTTED],
] as const
const MASK = /\[(?:e-mail|cpf|telefone) \d+\]/g
/** Text that looks like one of our masks, in any number of brackets. */
const FORGED = /\[+((?:e-mail|cpf|telefone) \d+)\]+/g

export type Masking = { mask: (text: string) => string; unmask: (text: string) => string }

/** Masks one conversation: a number has the same mask in all its texts. */
export function createMasking(): Masking {
  const maskOf = new Map<string, string>()
  const valueOf = new Map<string, string>()
  return {
    mask: (text) =>
      KINDS.reduce(
        (words, [kind, pattern]) =>
          words.replace(pattern, (value) => {
            const known = maskOf.get(value) ?? `[${kind} ${maskOf.size + 1}]`
            maskOf.set(value, known)
            valueOf.set(known, value)
            return known
          }),
        // A mask that somebody typed would be replaced by another person's number.
        text.replace(FORGED, '$1'),
      ),
    unmask: (text) => text.replace(MASK, (mask) => valueOf.get(mask) ?? ''),
  }
}
