// Defines a test of an agent, and judges an answer by it.
import { TURN_REASON } from './turn.ts'
import { amountsIn } from './words.ts'
import { foldText } from '../search.ts'

export type BenchLine = {
  by: 'lead' | 'agent' | 'human' | 'campaign'
  text: string
  /** The message's kind; undefined for a text. */
  kind?: string | undefined
}

/** What a test checks of a whole turn. Patterns match folded text: lower case, without accents. */
export type Check = {
  /** The agent must call a broker. */
  handsOver?: true
  /** The agent must not call a broker. */
  answers?: true
  calls?: string
  /** The answer must match all these patterns, unless the agent calls a broker. */
  says?: readonly RegExp[]
  never?: RegExp
  asks?: true
  /** The answer must name a day or an hour, or the agent must look up free ones. */
  offersTime?: true
  /** The only amounts that the answer may contain, in whole reais. */
  amounts?: readonly number[]
  atMost?: number
}

export type BenchCase = {
  id: string
  title: string
  /** Tells in the list of tests what the answer must do. */
  expects: string
  lines: readonly BenchLine[]
  check: Check
}

/** A conversation of the agent that an administrator turned into a test. */
export type MadeCase = { id: number; title: string; lines: readonly BenchLine[]; handsOver: boolean }

export const toBenchCase = ({ id, title, lines, handsOver }: MadeCase): BenchCase => ({
  id: `own-${id}`,
  title,
  expects: handsOver ? 'Chama o corretor' : 'Responde sem chamar o corretor',
  lines,
  check: handsOver ? { handsOver: true } : { answers: true },
})

/** What the agent did in a tested turn. */
export type BenchOutcome = { body: string | null; reason: string | null; calls: readonly string[] }
/** Matches a day or an hour, such as 'sábado', '10h', '10:30'. */
const TIME = /\b(?:segunda|terca|quarta|quinta|sexta|sabado|domingo|amanha|\d{1,2} ?h\b|\d{1,2}:\d{2})/
const DEMANDS = ['handsOver', 'calls', 'says', 'asks', 'offersTime'] as const
/** True if the test demands something of the answer. Other tests only forbid things. */
export const demands = ({ check }: BenchCase): boolean => DEMANDS.some((name) => check[name] !== undefined)

/** Tells why the test failed, as the list tells it; null if it passed. */
export function benchFault({ check }: BenchCase, { body, reason, calls }: BenchOutcome): string | null {
  const unanswered = MODEL_FAULTS.find((fault) => fault === reason)
  if (unanswered) return inside(TURN_REASON[unanswered])
  const isCalled = reason === 'person' || reason === 'handed-over' || calls.includes('chamar_corretor')
  if (check.handsOver && !isCalled) return 'não chamou o corretor'
  if (check.answers && isCalled) return 'chamou o corretor'
  if (body === null) return isCalled ? null : 'não respondeu'
  const folded = foldText(body)
  if (reason !== null && REFUSED[reason]) return REFUSED[reason]
  const said = check.never && wholeWords(check.never, folded)
  if (said) return `disse “${said}”`
  if (check.amounts && amountsIn(body).some((amount) => !check.amounts?.includes(amount)))
    return 'disse um preço sem fonte'
  if (check.atMost !== undefined && body.length > check.atMost) return `passou de ${check.atMost} letras`
  return missingFrom(check, { body, folded, calls, isCalled })
}

type Answered = { body: string; folded: string; calls: readonly string[]; isCalled: boolean }

function missingFrom(check: Check, { body, folded, calls, isCalled }: Answered): string | null {
  if (check.calls !== undefined && !calls.includes(check.calls)) return `não usou ${check.calls}`
  if (check.says?.every((pattern) => pattern.test(folded)) === false && !isCalled)
    return 'não disse o que devia'
  if (check.offersTime && !isCalled && !calls.includes('agendar_visita') && !TIME.test(folded))
    return 'não ofereceu um horário'
  if (check.asks && !body.includes('?')) return 'não perguntou nada'
  return null
}

/** Extends a match to the end of its last word, because patterns contain stems. */
const wholeWords = (pattern: RegExp, folded: string) =>
  new RegExp(`(?:${pattern.source})[a-z]*`, pattern.flags).exec(folded)?.[0].trim()

/** Reasons that come from the model itself and say nothing about the tested texts. */
const MODEL_FAULTS = [
  'unreachable',
  'late',
  'limited',
  'refused',
  'failed',
  'unreadable',
  'only-reasoning',
  'cut',
  'filtered',
  'no-tools',
  'resting',
  'fault',
] as const

/** Turns a sentence into the second part of another one: no capital, no full stop. */
const inside = (sentence: string) => sentence.slice(0, 1).toLowerCase() + sentence.slice(1).replace(/\.$/, '')

const REFUSED: Readonly<Record<string, string>> = {
  price: 'o portal recusou: preço sem fonte',
  promise: 'o portal recusou: promessa sem registro',
  address: 'o portal recusou: link ou número sem fonte',
  language: 'o portal recusou: escreveu em outra língua',
  leak: 'o portal recusou: falava de si',
  empty: 'não escreveu nada',
  'too-long': 'o texto era longo demais',
}
