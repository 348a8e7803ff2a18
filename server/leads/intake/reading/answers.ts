// The body of any form builder as a list of answers: question, answer, and its path in the body.
import { parseJson } from '#server/http/requests.ts'
import { fieldsOf, listOf, textOf, type Fields } from '../new-lead.ts'

export type Answer = {
  label: string
  /** The values of the answer, which stay separate if there are several. */
  texts: readonly string[]
  /** The builder's name of the field type: 'email', 'INPUT_PHONE_NUMBER'. */
  type: string
  /** Names of the enclosing objects, outermost first. */
  path: readonly string[]
}

const DEEPEST = 8
const MAX_VALUES = 2_000
const MAX_JSON_CHARS = 64 * 1024

/** Keys of the question in a pair; texts come before ids. */
const QUESTIONS = ['label', 'title', 'question', 'pergunta', 'name', 'field_name', 'fieldName', 'key', 'id']
const VALUES = ['value', 'values', 'answer', 'response', 'resposta', 'string_value', 'text']
/** Further keys that a pair may have; an object with other keys is no pair. */
const PAIR = new Set([
  ...QUESTIONS,
  ...VALUES,
  'type',
  'raw_value',
  'required',
  'field',
  'custom_field',
  'options',
  'ref',
  'versions',
  'order',
  'first',
  'middle',
  'last',
  'column_id',
  'column_name',
  'timestamp',
  'source-type',
  'source',
  'source-id',
  'objectTypeId',
  'fieldType',
  'position',
])
/** A name in parts, such as 'q3_nome': {first, last}; or a phone: {area, phone}. */
const NAME_PARTS = [
  'prefix',
  'first',
  'firstName',
  'first_name',
  'middle',
  'last',
  'lastName',
  'last_name',
  'suffix',
]
/** Fields that hold no answers: the form's definition and the request's headers. */
const SKIPPED = new Set(['definition', 'schema', 'headers', 'versions'])

/** The answers in the order of the body. Values that are nested too deeply are left out. */
export function answersIn(body: unknown): readonly Answer[] {
  const found: Answer[] = []
  const titles = titlesIn(body)
  let seen = 0

  function visit(value: unknown, label: string, path: readonly string[]): void {
    if (++seen > MAX_VALUES || path.length > DEEPEST) return
    const text = textOf(value)
    if (text !== null) {
      const inner = jsonIn(text)
      if (inner === null) found.push({ label, texts: [text], type: '', path })
      else visit(inner, label, path)
    } else if (Array.isArray(value)) {
      visitList(value as readonly unknown[], label, path)
    } else if (typeof value === 'object' && value !== null) {
      visitObject(value as Fields, label, path)
    }
  }

  function visitList(list: readonly unknown[], label: string, path: readonly string[]) {
    const texts = list.slice(0, MAX_VALUES).map(textOf)
    if (texts.length > 0 && texts.every((text) => text !== null)) found.push({ label, texts, type: '', path })
    else
      for (const [index, value] of list.entries())
        visit(value, String(index), [...path, label].filter(Boolean))
  }

  function visitObject(value: Fields, label: string, path: readonly string[]) {
    const one = pairOf(value, label, titles) ?? partsOf(value, label)
    if (one !== null) {
      if (one.texts.length > 0) found.push({ ...one, path })
      return
    }
    const within = label === '' ? path : [...path, label]
    for (const [name, inner] of Object.entries(withoutBrackets(value)))
      if (!SKIPPED.has(name)) visit(inner, name, within)
  }

  visit(body, '', [])
  return found
}

type Pair = Omit<Answer, 'path'>

/** A pair such as {label: 'Nome', value: 'Ana'}, with the keys of each builder; null for anything else. */
function pairOf(value: Fields, name: string, titles: ReadonlyMap<string, string>): Pair | null {
  const type = textOf(value['type']) ?? ''
  // Typeform uses the type as the answer's key.
  const answered = [...VALUES, type].find((key) => !QUESTIONS.includes(key) && Object.hasOwn(value, key))
  if (answered === undefined) return null
  if (!Object.keys(value).every((key) => PAIR.has(key) || key === answered)) return null
  const field = fieldsOf(value['field'] ?? value['custom_field'])
  const titled = [field, value].flatMap((one) => [textOf(one['ref']), textOf(one['id'])])
  const label =
    titled.map((id) => (id === null ? undefined : titles.get(id))).find((title) => title !== undefined) ??
    QUESTIONS.map((key) => textOf(field[key]) ?? (key === answered ? null : textOf(value[key]))).find(
      (one) => one !== null,
    ) ??
    name
  return { label, type, texts: textsOf(value[answered], listOf(value['options'])) }
}

/** Choices are given by their ids, or as objects with a label. */
function textsOf(value: unknown, options: readonly unknown[]): readonly string[] {
  const given = Array.isArray(value) ? (value as unknown[]) : [value]
  return given.flatMap((one) => {
    const text = textOf(one)
    if (text === null) return textOf(fieldsOf(one)['label']) ?? joined(fieldsOf(one)) ?? []
    const option = options.map(fieldsOf).find(({ id }) => id === text)
    return textOf(option?.['text'] ?? option?.['label']) ?? text
  })
}

/**
 * {first: 'Ana', last: 'Lima'}, {area: '11', phone: '95550-0142'}, {full: '(11) 95550-0142'}; null for
 * anything else.
 */
function partsOf(value: Fields, label: string): Pair | null {
  const text = label === '' ? null : joined(value)
  return text === null ? null : { label, type: '', texts: [text] }
}

function joined(value: Fields): string | null {
  const names = Object.keys(value)
  if (names.length === 0) return null
  if (names.every((name) => NAME_PARTS.includes(name)))
    return textOf(NAME_PARTS.flatMap((name) => textOf(value[name]) ?? []).join(' '))
  if (names.every((name) => ['area', 'phone', 'country'].includes(name)) && names.includes('phone'))
    return textOf(['country', 'area', 'phone'].flatMap((name) => textOf(value[name]) ?? []).join(' '))
  return names.length === 1 && names[0] === 'full' ? textOf(value['full']) : null
}

/** Titles of fields by id, from the form's definition that is sent with the answers. */
function titlesIn(body: unknown): ReadonlyMap<string, string> {
  const titles = new Map<string, string>()
  const outer = fieldsOf(body)
  for (const part of [outer, ...Object.values(outer).map(fieldsOf)])
    for (const field of listOf(fieldsOf(part['definition'])['fields']).slice(0, MAX_VALUES).map(fieldsOf)) {
      const title = textOf(field['title'])
      for (const id of [field['id'], field['ref']])
        if (title !== null && typeof id === 'string') titles.set(id, title)
    }
  return titles
}

/** Jotform and Unbounce post the answers as JSON within a field. */
function jsonIn(text: string): object | null {
  if (!/^\s*[{[]/.test(text) || text.length > MAX_JSON_CHARS) return null
  const parsed = parseJson(text)
  return typeof parsed === 'object' ? parsed : null
}

/** Unfolds 'fields[name][value]', PHP's notation for nested form values. */
export function withoutBrackets(value: Fields): Fields {
  if (!Object.keys(value).some((name) => name.includes('['))) return value
  const plain = Object.create(null) as Fields
  for (const [name, inner] of Object.entries(value)) {
    const [, outer, rest = ''] = /^([^[\]]+)((?:\[[^[\]]{0,100}\]){1,6})$/.exec(name) ?? []
    if (outer === undefined) plain[name] = inner
    else put(plain, [outer, ...[...rest.matchAll(/\[([^\]]*)\]/g)].map(([, step = '']) => step)], inner)
  }
  return plain
}

/** An empty name, as in 'telefones[]', becomes the next index. */
function put(target: Fields, [step = '', ...steps]: readonly string[], value: unknown): void {
  const name = step === '' ? String(Object.keys(target).length) : step
  if (steps.length === 0) {
    target[name] = value
    return
  }
  const inner = target[name]
  const next =
    typeof inner === 'object' && inner !== null ? (inner as Fields) : (Object.create(null) as Fields)
  target[name] = next
  put(next, steps, value)
}
