// A body of whatever form builder as a list of answers: what was asked, what was answered, and where in the body it stands.
import { parseJson } from '#server/http/requests.ts'
import { fieldsOf, listOf, textOf, type Fields } from '../new-lead.ts'

export type Answer = {
  label: string
  /** Each apart where several were given. */
  texts: readonly string[]
  /** As the builder calls the kind of field: 'email', 'INPUT_PHONE_NUMBER'. */
  type: string
  /** The names of what it stands in, from the outermost on. */
  path: readonly string[]
}

const DEEPEST = 8
const MOST_VALUES = 2_000
const MOST_JSON_CHARS = 64 * 1024

/** Where the question of a pair stands, the words before the name. */
const QUESTIONS = ['label', 'title', 'question', 'pergunta', 'name', 'field_name', 'fieldName', 'key', 'id']
const VALUES = ['value', 'values', 'answer', 'response', 'resposta', 'string_value', 'text']
/** Beside question and answer; an object that holds more is something else. */
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
/** A name in its parts, as 'q3_nome': {first, last}; of a phone: {area, phone}. */
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
/** Not answers: how the form is made, and how the request came. */
const SKIPPED = new Set(['definition', 'schema', 'headers', 'versions'])

/** In the body's order; what is nested without end, or has no end, is left out. */
export function answersIn(body: unknown): readonly Answer[] {
  const found: Answer[] = []
  const titles = titlesIn(body)
  let seen = 0

  function visit(value: unknown, label: string, path: readonly string[]): void {
    if (++seen > MOST_VALUES || path.length > DEEPEST) return
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
    const texts = list.slice(0, MOST_VALUES).map(textOf)
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

/** {label: 'Nome', value: 'Ana'} in each builder's words; null for what is none. */
function pairOf(value: Fields, name: string, titles: ReadonlyMap<string, string>): Pair | null {
  const type = textOf(value['type']) ?? ''
  // Typeform names the answer by its type.
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

/** Choices are told by their ids, or as objects with a label. */
function textsOf(value: unknown, options: readonly unknown[]): readonly string[] {
  const given = Array.isArray(value) ? (value as unknown[]) : [value]
  return given.flatMap((one) => {
    const text = textOf(one)
    if (text === null) return textOf(fieldsOf(one)['label']) ?? joined(fieldsOf(one)) ?? []
    const option = options.map(fieldsOf).find(({ id }) => id === text)
    return textOf(option?.['text'] ?? option?.['label']) ?? text
  })
}

/** {first: 'Ana', last: 'Lima'}, {area: '11', phone: '95550-0142'}, {full: '(11) 95550-0142'}; null for what is none. */
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

/** What the form's definition, sent beside the answers, calls its fields by their ids. */
function titlesIn(body: unknown): ReadonlyMap<string, string> {
  const titles = new Map<string, string>()
  const outer = fieldsOf(body)
  for (const part of [outer, ...Object.values(outer).map(fieldsOf)])
    for (const field of listOf(fieldsOf(part['definition'])['fields']).slice(0, MOST_VALUES).map(fieldsOf)) {
      const title = textOf(field['title'])
      for (const id of [field['id'], field['ref']])
        if (title !== null && typeof id === 'string') titles.set(id, title)
    }
  return titles
}

/** Jotform and Unbounce post what was answered as JSON within a field. */
function jsonIn(text: string): object | null {
  if (!/^\s*[{[]/.test(text) || text.length > MOST_JSON_CHARS) return null
  const parsed = parseJson(text)
  return typeof parsed === 'object' ? parsed : null
}

/** 'fields[name][value]', as PHP writes nested values in a form, as they are nested. */
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

/** Without a name, 'telefones[]', by its number. */
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
