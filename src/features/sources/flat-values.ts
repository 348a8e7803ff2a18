// The values of an unreadable delivery, each with its path, so that a person can say what they mean.

export type FlatValue = { path: string; text: string }

const MAX_VALUES = 100
const DEEPEST = 6

/** All values of a nested body, in order: 'cliente.telefones.0'. Names that contain a dot are skipped. */
export function flatValues(body: unknown): readonly FlatValue[] {
  const found: FlatValue[] = []
  const visit = (value: unknown, path: readonly string[]) => {
    if (found.length >= MAX_VALUES) return
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      if (path.length > 0 && String(value).trim() !== '')
        found.push({ path: path.join('.'), text: String(value) })
      return
    }
    if (typeof value !== 'object' || value === null || path.length >= DEEPEST) return
    for (const [name, inner] of Object.entries(value))
      if (/^[^.]{1,60}$/.test(name)) visit(inner, [...path, name])
  }
  visit(body, [])
  return found
}

/** Guesses by the last part of the path; phone and e-mail also by their form. */
const BY_NAME: readonly (readonly [string, RegExp])[] = [
  ['number', /^(phone|phonenumber|telefone|celular|whatsapp|fone|numero)$/],
  ['name', /^(name|nome|nombre|fullname|nomecompleto|cliente)$/],
  ['email', /^e?mail$/],
  ['message', /^(message|mensagem|mensaje|comentario|observacao)$/],
  ['listing', /^(referencia|reference|codigo|listing|codigoimovel|clientlistingid)$/],
  ['development', /^(empreendimento|development|lancamento)$/],
  ['externalId', /^(externalid|leadid|idevento|eventid|originleadid)$/],
]
const BY_LOOK: readonly (readonly [string, RegExp])[] = [
  ['number', /^\+?[\d\s().-]{10,20}$/],
  ['email', /^\S+@\S+\.\S+$/],
]

/** Headers of a forwarded e-mail, which contain the agency's data, never the lead's. */
const ENVELOPE =
  /(?:^|\.)(?:from|to|cc|bcc|sender|recipient|originalrecipient|envelope|headers|message-headers)(?:full|name)?(?:\.|$)/i

/** A suggested mapping for a person to confirm: our field to its path. */
export function guessMapping(all: readonly FlatValue[]): Readonly<Record<string, string>> {
  const values = all.filter(({ path }) => !ENVELOPE.test(path))
  const plain = (path: string) =>
    (path.split('.').findLast((step) => !/^\d+$/.test(step)) ?? '').toLowerCase().replace(/[^a-z]/g, '')
  const named = BY_NAME.map(
    ([field, like]) => [field, values.find(({ path }) => like.test(plain(path)))] as const,
  )
  const guesses = BY_LOOK.map(
    ([field, like]) =>
      [
        field,
        values.find(({ path, text }) => like.test(text) && !named.some(([, one]) => one?.path === path)),
      ] as const,
  )
  // A matching name outweighs a matching form.
  const guessed = [...guesses, ...named].flatMap(([field, value]) => (value ? [[field, value.path]] : []))
  return Object.fromEntries(guessed)
}
