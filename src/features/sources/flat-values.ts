// The values of a body that nobody could read, each with where it stands, for a person to say what it is.

export type FlatValue = { path: string; text: string }

const MOST = 100
const DEEPEST = 6

/** Of a body in depth, in its order: 'cliente.telefones.0'. Names with a dot in them cannot be pointed at. */
export function flatValues(body: unknown): readonly FlatValue[] {
  const found: FlatValue[] = []
  const visit = (value: unknown, path: readonly string[]) => {
    if (found.length >= MOST) return
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

/** By their last name; of the phone and the e-mail by what they look like, too. */
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

/** Of an e-mail that was forwarded: the agency's own, never the lead's. */
const ENVELOPE =
  /(?:^|\.)(?:from|to|cc|bcc|sender|recipient|originalrecipient|envelope|headers|message-headers)(?:full|name)?(?:\.|$)/i

/** What each value probably is, for a person to confirm: ours by where it stands. */
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
  // A name says more than a look.
  const guessed = [...guesses, ...named].flatMap(([field, value]) => (value ? [[field, value.path]] : []))
  return Object.fromEntries(guessed)
}
