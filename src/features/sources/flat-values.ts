// Lists the values of an unreadable delivery, each with its path, so that a person can tell what they mean.

export type FlatValue = { path: string; text: string }

const MAX_VALUES = 100
const DEEPEST = 6

/**
 * Lists all values of a nested body in order, for example 'cliente.telefones.0'. Skips names that contain a dot,
 * because the dot separates the parts of a path.
 */
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

/** Guesses a value's field from the last part of its path. (Phone and e-mail are also recognised by how they look.) */
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

/** The headers of a forwarded e-mail, which contain data of the agency and never of the lead. */
const ENVELOPE =
  /(?:^|\.)(?:from|to|cc|bcc|sender|recipient|originalrecipient|envelope|headers|message-headers)(?:full|name)?(?:\.|$)/i

/** Suggests a path for each of the portal's fields. A person confirms or changes it. */
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
  // A matching name counts more than a value that only looks like a phone number or an e-mail address.
  const guessed = [...guesses, ...named].flatMap(([field, value]) => (value ? [[field, value.path]] : []))
  return Object.fromEntries(guessed)
}
