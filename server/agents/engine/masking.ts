// Numbers and addresses of persons, taken out before words leave the house and put back into what comes home.

const EMAIL = /[\p{L}\d._%+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/gu
const CPF = /(?<![\p{Nd}.])\p{Nd}{3}[. ]?\p{Nd}{3}[. ]?\p{Nd}{3}[-–./ ]?\p{Nd}{2}(?!\p{Nd})/gu
/** Eight digits or more as people write numbers; a price or a date has other signs between. */
const PHONE = /(?<![\p{Nd}.,$])\+?\(?\p{Nd}(?:[\s()–-]{0,2}\p{Nd}){7,14}(?![\p{Nd}.,]\p{Nd})/gu
/** '11.95550.0187', '11/95550-0187'; a price has threes between its points. */
const DOTTED =
  /(?<![\p{Nd}.,$])\(?\p{Nd}{2}\)?[./ ]{1,2}(?:\p{Nd}[. ])?\p{Nd}{4,5}[. –-]\p{Nd}{4}(?!\p{Nd})/gu
const KINDS = [
  ['e-mail', EMAIL],
  ['cpf', CPF],
  ['telefone', PHONE],
  ['telefone', DOTTED],
] as const
const MASK = /\[(?:e-mail|cpf|telefone) \d+\]/g

export type Masking = { mask: (text: string) => string; unmask: (text: string) => string }

/** One conversation: the same number is the same mask all through it. */
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
        // Brackets of ours that somebody typed would be put back as another's number.
        text.replace(MASK, (typed) => typed.slice(1, -1)),
      ),
    unmask: (text) => text.replace(MASK, (mask) => valueOf.get(mask) ?? ''),
  }
}
