// What a model may say to a lead: no price and no promise that no fact or tool stands behind, nothing of the machine itself.
import { foldText } from './search.ts'

export type ReplyFact = { label: string; value: string; isPrice: boolean }

/** Why an answer does not go out. */
export type ReplyFault = 'empty' | 'too-long' | 'price' | 'promise' | 'leak'

/** Longer is no message that anybody reads. */
const MOST_REPLY = 1_000

/** 'R$ 598 mil', '640.000', '598 mil reais', '1,2 milhão'; an area is none. */
const AMOUNT =
  /(?:r\$\s*)(\d[\d.,]*)\s*(mil\b|milh(?:ão|ões|oes|ao)\b|mi\b|k\b)?|(\d[\d.,]*)\s*(mil\b|milh(?:ão|ões|oes|ao)\b|mi\b|k\b|reais\b)|(\d{1,3}(?:\.\d{3})+(?:,\d{2})?)(?!\s*(?:m²|m2|metros))/gi

/** What is said of a visit; behind a booked one they are no promise. */
const BOOKINGS = /\b(?:agendad|marcad|confirmad)[ao]s?\b|\b(?:agendei|marquei|confirmei)\b/g
/** '10h', '10:30', '10 horas'. */
const HOURS = /\b(\d{1,2})(?: ?h(?:oras?)?(\d{2})?|:(\d{2}))\b/g
const DAYS = /\b(\d{1,2})\/(\d{1,2})\b/g
const WEEKDAYS = ['domingo', 'segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado']

/** What only a tool may have done. 'Posso agendar' and 'quer reservar?' are none. */
const PROMISES = [
  /\b(?:esta|ja esta|foi|ficou|fica|ta|deixei|esta tudo) (?:ja )?(?:reservad|agendad|marcad|confirmad|garantid|aprovad|separad|segurad)[ao]s?\b/,
  /\b(?:reservei|agendei|marquei|confirmei|garanti|separei|segurei|bloqueei)\b/,
  /\b(?:reserva|visita|agendamento|unidade|credito|financiamento|desconto) (?:esta |foi |ja )*(?:reservad|agendad|marcad|confirmad|garantid|aprovad|separad)[ao]\b/,
  /\b(?:vou|posso|consigo|consegui|conseguimos|podemos|faco|fazemos) (?:te |lhe )?(?:dar|fazer|liberar|garantir|conceder)?\s?(?:um |o |seu )?desconto\b/,
  /\b(?:garanto|garantimos|prometo|prometemos)\b/,
  /\b(?:seu |o )?(?:credito|financiamento) (?:sera|vai ser|esta) aprovado\b/,
]

/** Said by nobody who speaks to a lead: the prompt itself, or what a mask left behind. */
const LEAKS = [
  /\b(?:system prompt|prompt do sistema|minhas instrucoes|regras fixas|fatos conferidos)\b/,
  /\b(?:como (?:um )?modelo de linguagem|openai|chatgpt)\b/,
  /\bcpf \d|\[(?:telefone|e-mail|cpf) ?\d*\]/,
  /<\/?(?:system|lead|fatos|tool)[^>]*>/,
]

/** Null: it may go out. `visit`: when the lead's visit is booked, YYYY-MM-DD HH:MM, null without one. */
export function replyFault(
  text: string,
  { facts, visit }: { facts: readonly ReplyFact[]; visit: string | null },
): ReplyFault | null {
  const words = text.trim()
  if (words === '') return 'empty'
  if (words.length > MOST_REPLY) return 'too-long'
  const folded = foldText(words)
  if (LEAKS.some((pattern) => pattern.test(folded))) return 'leak'
  const priced = new Set(facts.flatMap(({ value, isPrice }) => (isPrice ? amountsIn(value) : [])))
  if (amountsIn(words).some((amount) => !priced.has(amount))) return 'price'
  if (isPromise(folded) && !(visit !== null && tellsVisit(folded, visit))) return 'promise'
  return null
}

const isPromise = (folded: string) => PROMISES.some((pattern) => pattern.test(folded))

/** Whether all it promises is this visit, at its own day and hour. */
function tellsVisit(folded: string, visit: string): boolean {
  if (
    isPromise(folded.replace(BOOKINGS, ' ')) ||
    /\b(?:reserv|unidade|credito|financiamento|desconto)/.test(folded)
  )
    return false
  const [day = '', hour = ''] = visit.split(' ')
  const [, month, date] = day.split('-').map(Number)
  const weekday = WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()]
  return (
    [...folded.matchAll(HOURS)].every(
      ([, hours = '', past, minutes]) => `${hours.padStart(2, '0')}:${past ?? minutes ?? '00'}` === hour,
    ) &&
    [...folded.matchAll(DAYS)].every(([, of, in_]) => Number(of) === date && Number(in_) === month) &&
    WEEKDAYS.every((name) => name === weekday || !new RegExp(`\\b${name}\\b`).test(folded))
  )
}

/** The labels of the facts that an answer says an amount of, or the value of. */
export function factsSaid<Fact extends ReplyFact>(text: string, facts: readonly Fact[]): Fact[] {
  const said = new Set(amountsIn(text))
  const folded = foldText(text)
  return facts.filter(({ value, isPrice }) =>
    isPrice ? amountsIn(value).some((amount) => said.has(amount)) : folded.includes(foldText(value)),
  )
}

/** In reais, as whole numbers. */
export function amountsIn(text: string): number[] {
  return [...text.matchAll(AMOUNT)].flatMap(([, a, aUnit, b, bUnit, c]) => {
    const digits = a ?? b ?? c ?? ''
    const unit = foldText(aUnit ?? bUnit ?? '')
    const amount = Number(plain(digits))
    if (!Number.isFinite(amount) || digits === '') return []
    const times = unit === 'mil' || unit === 'k' ? 1_000 : unit.startsWith('mi') ? 1_000_000 : 1
    return [Math.round(amount * times)]
  })
}

/** '1.250.000,50' and '1,2' as JavaScript writes numbers. */
function plain(digits: string): string {
  const trimmed = digits.replace(/[.,]+$/, '')
  return trimmed.replace(/\.(?=\d{3}(?:\D|$))/g, '').replace(',', '.')
}
