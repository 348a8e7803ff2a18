// Finds the lead among a body's answers: phone and e-mail first, then the nearest name. Forms, deals,
// campaigns and the agency's own people have names in the same bodies, which are never the lead's.
import { numbersIn } from '#domain/phone/read.ts'
import type { Answer } from './answers.ts'
import { isNameless, type Meaning, meaningOf, wordsOf } from './labels.ts'

export type Told = Answer & { what: Meaning | null }

export type Person = {
  name: string | null
  /** The phones, the likeliest first. */
  phones: readonly string[]
  areaCode: string | null
  email: string | null
  message: string | null
  campaign: string | null
  source: string | null
  formName: string | null
  development: string | null
  listing: string | null
  /** The answers that were used. */
  used: ReadonlySet<Answer>
}

/** Maximum characters of a value: searching an e-mail in a longer one would block the process. */
const MAX_CHARS = 1_000
const EMAIL = /[^\s<>"'(),;:@]+@[^\s<>"'(),;:@]+\.[a-z]{2,}/i
/** Maximum people in a body; a body with more is no form. */
const MAX_SCOPES = 100
/** Names that have a meaning only with their enclosing object: 'form' and 'name', 'campaign' and 'name'. */
const BARE = /^(?:name|nome|nombre|title|titulo|value|valor|text|label|id|codigo|code)$/i
/** Objects that hold answers or people: a bare name outside of them belongs to the form or deal. */
const INNER =
  /^(?:data|dados|payload|fields?|campos|answers|respostas|form_?response|submissions?|responses?|form_?data|namedvalues|rawrequest|data\.json|properties|contacts|leads|customers|persons|people|document)$/i
/** Objects in which a bare name is a person's. */
const OF_PERSON =
  /^(?:data|dados|payload|body|fields?|campos|answers|respostas|submissions?|responses?|form_?data|namedvalues|rawrequest|data\.json|properties|contacts?|contatos?|leads?|person|pessoa|customers?|clients?|clientes?|interessados?|comprador|buyer|proponente|respondent|\d+)$/i

export function personIn(answers: readonly Answer[]): Person {
  const whatOf = teller(answers)
  const told = answers.map((answer) => ({ ...answer, what: whatOf(answer), answer }))
  type One = (typeof told)[number]
  const of = (...meanings: readonly Meaning[]) =>
    told.filter(({ what }) => what !== null && meanings.includes(what))
  const scope = scopeOf(told)
  const isWithin = ({ path }: Told) => scope.every((step, at) => path[at] === step)
  /** Answers in the person's own object, else those around it. */
  const near = (all: readonly One[]): readonly One[] => {
    const within = all.filter(isWithin)
    if (within.length > 0) return within.toSorted((a, b) => a.path.length - b.path.length)
    return all.filter((one) => isAround(one, scope))
  }
  const phones = near(of('phone'))
  const [email] = near(of('email'))
  const names = nameIn(near(of('name', 'firstName', 'lastName')))
  const [areaCode] = near(of('areaCode'))
  const first = (...meanings: readonly Meaning[]) => {
    const all = of(...meanings)
    return all.find(isWithin) ?? all[0]
  }
  const [message, campaign, source, formName, development, listing] = [
    first('message'),
    first('campaign'),
    first('source'),
    first('formName'),
    first('development') ?? first('property'),
    first('listing'),
  ]
  const used = [
    ...phones,
    email,
    ...names.used,
    areaCode,
    message,
    campaign,
    source,
    formName,
    development,
    listing,
  ]
  return {
    name: names.name,
    phones: phones.flatMap(({ texts }) => texts),
    areaCode: textIn(areaCode),
    email: textIn(email),
    message: textIn(message),
    campaign: textIn(campaign),
    source: textIn(source),
    formName: textIn(formName),
    development: textIn(development),
    listing: textIn(listing),
    used: new Set(used.flatMap((one) => one?.answer ?? [])),
  }
}

const isBrazilian = (texts: readonly string[]) => numbersIn(texts).numbers[0]?.country === 'BR'

const textIn = (answer: Answer | undefined): string | null => answer?.texts.join(', ') ?? null

/** Decides by the field's name, alone or with its path; if neither has a meaning, by type and value. */
function teller(all: readonly Answer[]): (answer: Answer) => Meaning | null {
  const known = new Map<string, Meaning | null>()
  const meaning = (label: string) => {
    if (!known.has(label)) known.set(label, meaningOf(label))
    return known.get(label) ?? null
  }
  const placeOf = (path: readonly string[]) => path.join('\n')
  const withContact = new Set(
    all
      .filter(({ label }) => /^(?:phone|email)$/.test(meaning(label) ?? ''))
      .map(({ path }) => placeOf(path)),
  )
  const labels = new Set(all.map(({ label }) => label))

  function bareMeaning({ label, path }: Answer): Meaning | null {
    const own = meaning(label)
    const container = path.findLast((step) => !/^\d+$/.test(step))
    if (container === undefined) return own
    const whole = meaning(`${container} ${label}`)
    if (own !== 'name') return whole ?? own
    if (withContact.has(placeOf(path)) || OF_PERSON.test(container)) return 'name'
    return whole === 'phone' || whole === 'email' ? null : whole
  }

  return (answer) => {
    if (answer.path.some((step) => meaning(step) === 'staff')) return 'staff'
    const label = answer.label.trim()
    const named = BARE.test(label) ? bareMeaning(answer) : meaning(label)
    const looks = named === null && isNameless(label) ? looksLike(answer, labels) : null
    return likely(named ?? looks ?? typeMeaning(answer), answer)
  }
}

const TYPES: readonly (readonly [RegExp, Meaning])[] = [
  [/email/i, 'email'],
  [/^tel$|phone|whatsapp/i, 'phone'],
  [/^(?:full_?)?name$|contact_?name/i, 'name'],
  [/textarea|paragraph|long_?text/i, 'message'],
]
const typeMeaning = ({ type }: Answer): Meaning | null => TYPES.find(([like]) => like.test(type))?.[1] ?? null

/**
 * For a field without a meaningful name, such as those that Gravity Forms numbers: e-mails and phones are
 * recognised by their form.
 */
function looksLike({ label, texts }: Answer, labels: ReadonlySet<string>): Meaning | null {
  const text = texts.join(' ').slice(0, MAX_CHARS)
  if (EMAIL.test(text)) return 'email'
  if (/^[\d\s()+.-]{10,20}$/.test(text) && isBrazilian(texts)) return 'phone'
  const [, field, part] = /^(\d+)\.([36])$/.exec(label) ?? []
  // An address has the same part numbers; .1 is then the street and .5 the postal code.
  if (field === undefined || labels.has(`${field}.1`) || labels.has(`${field}.5`)) return null
  return part === '3' ? 'firstName' : 'lastName'
}

/** Null: the value is no answer to the name, as 'Telefone' to 'Telefone ou e-mail?'. */
function likely(meaning: Meaning | null, { texts }: Answer): Meaning | null {
  const text = texts.join(' ').slice(0, MAX_CHARS)
  const isName = /\p{L}/u.test(text) && !/@|:\/\/|^[[{]|^(?:true|false|on|off|sim|não|yes|no)$/i.test(text)
  switch (meaning) {
    case 'email':
      return EMAIL.test(text) ? 'email' : /\d{8}/.test(text) ? 'contact' : null
    case 'phone':
      return /\d/.test(text) && !EMAIL.test(text) ? 'phone' : EMAIL.test(text) ? 'email' : null
    case 'contact':
      if (EMAIL.test(text)) return 'email'
      return isBrazilian(texts) ? 'phone' : isName && !/\d/.test(text) ? 'name' : null
    case 'name':
    case 'firstName':
    case 'lastName':
      return isName ? meaning : null
    default:
      return meaning
  }
}

/** The path of the object that holds the person's phone, name and e-mail, or most of them. */
function scopeOf(told: readonly Told[]): readonly string[] {
  const reached = told.filter(({ what }) => what === 'phone' || what === 'email')
  const scopes = new Map<string, { scope: readonly string[]; rank: number }>()
  for (const one of reached.slice(0, MAX_SCOPES)) {
    const scope = climbed(one.path)
    const key = JSON.stringify(scope)
    if (scopes.has(key)) continue
    const within = told.filter(({ path }) => scope.every((step, at) => path[at] === step))
    const has = (...meanings: readonly Meaning[]) =>
      within.some(({ what }) => what !== null && meanings.includes(what))
    const hasNumber = within.some(
      ({ what, texts }) => what === 'phone' && numbersIn(texts).numbers.length > 0,
    )
    const rank = (hasNumber ? 4 : 0) + (has('email') ? 1 : 0) + (has('name', 'firstName') ? 2 : 0)
    // The inner one wins a tie, because further people may be around it.
    scopes.set(key, { scope, rank: rank + Math.min(scope.length, 9) / 10 })
  }
  const [best] = [...scopes.values()].toSorted((a, b) => b.rank - a.rank)
  return best?.scope ?? []
}

/** Leaves 'phones.0' and 'contact_email': the person is the object around them. */
function climbed(path: readonly string[]): readonly string[] {
  const last = path.at(-1)
  if (last === undefined) return path
  const at = /^\d+$/.test(last) ? -2 : -1
  const name = path.at(at)
  if (name === undefined) return path
  const meaning = meaningOf(name)
  const isContact =
    meaning === 'phone' || meaning === 'email' || /^(?:contato|contact)s?(?:_?info)?$/i.test(name)
  return isContact && meaning !== null && meaning !== 'contact' ? climbed(path.slice(0, at)) : path
}

/**
 * Whether an answer is in an object around the person's object (`scope`). Objects between the two must not hold answers
 * or people.
 */
function isAround({ path, label }: Told, scope: readonly string[]): boolean {
  if (path.length >= scope.length || !path.every((step, at) => step === scope[at])) return false
  const between = scope.slice(path.length)
  return (
    !between.some((step) => INNER.test(step)) ||
    (wordsOf(label).length > 1 && !between.some((step) => step.endsWith('s')))
  )
}

/** The fullest name; first and last name are joined. */
function nameIn<One extends Told>(all: readonly One[]): { name: string | null; used: readonly One[] } {
  const full = all.filter(({ what }) => what === 'name')
  const first = all.find(({ what }) => what === 'firstName')
  const last = all.find(({ what }) => what === 'lastName')
  const [whole] = full.toSorted((a, b) => weightOf(b) - weightOf(a))
  if (whole && last === undefined) return { name: textIn(whole), used: [whole] }
  const head = textIn(whole ?? first)
  const tail = textIn(last)
  if (head === null) return { name: tail, used: all.filter((one) => one === last) }
  const isWhole = tail === null || head.toLowerCase().endsWith(tail.toLowerCase())
  return {
    name: isWhole ? head : `${head} ${tail}`,
    used: all.filter((one) => one === whole || one === first || one === last),
  }
}

/** 'Nome completo' beats 'nome'. */
const weightOf = ({ label }: Told) => (/full|complet/i.test(label) ? 1 : 0)
