// A segment: a question about leads, and the reasons why a person who matches it gets no campaign.

/**
 * A missing part excludes nobody. A lead matches a list by any of its values, and `withoutTags` by having none of them.
 */
export type SegmentQuestion = {
  stages?: string[]
  /** The developments' ids. */
  developments?: number[]
  sources?: string[]
  tags?: string[]
  withoutTags?: string[]
  quietDays?: number
  contact?: SegmentContact[]
  visit?: SegmentVisit[]
  minCents?: number
  maxCents?: number
  withoutValue?: boolean
}

export const SEGMENT_CONTACT = {
  'never-contacted': 'Só quem nunca foi contatado',
  'never-answered': 'Só quem nunca respondeu',
} as const
export type SegmentContact = keyof typeof SEGMENT_CONTACT

export const SEGMENT_VISIT = { held: 'Visitou', missed: 'Marcou e não veio' } as const
export type SegmentVisit = keyof typeof SEGMENT_VISIT

/** Why a person gets no campaign, in the order in which the screen lists them. */
export const LEFT_OUT = {
  'opted-out': { label: 'Pediram para não receber', why: 'Nunca recebem campanha' },
  recent: { label: 'Em descanso', why: 'Receberam uma campanha há pouco' },
  'not-on-whatsapp': { label: 'Número não existe', why: 'Última entrega falhou' },
  'no-number': { label: 'Sem número', why: 'Não há para onde enviar' },
  'no-broker': { label: 'Sem corretor', why: 'Ninguém envia por eles' },
  busy: { label: 'Corretor com campanha', why: 'A campanha dele ainda não terminou' },
  'held-out': { label: 'Em outra comparação', why: 'Sorteados para não receber por 30 dias' },
} as const
export type LeftOut = keyof typeof LEFT_OUT

/** Shares of the holdout that the screen offers, in percent. */
export const SHARES = [5, 10, 15, 20] as const
/** With fewer persons nobody is held out, because too small groups cannot be compared. */
export const FEWEST_TO_COMPARE = 50

export type SegmentNames = {
  stages: readonly { value: string; label: string }[]
  developments: readonly { value: number; label: string }[]
}

/** The chosen values of a condition as text, for 'sem “3 quartos” são 96'. */
export function conditionWords(
  condition: string,
  question: SegmentQuestion,
  { stages, developments }: SegmentNames,
): string {
  const nameOf = <V>(choices: readonly { value: V; label: string }[], value: V) =>
    choices.find((choice) => choice.value === value)?.label ?? String(value)
  const either = (words: readonly string[]) => words.map((word) => `“${word}”`).join(' ou ')
  switch (condition) {
    case 'stages':
      return either((question.stages ?? []).map((slug) => nameOf(stages, slug)))
    case 'developments':
      return either((question.developments ?? []).map((id) => nameOf(developments, id)))
    case 'sources':
      return 'a origem'
    case 'tags':
      return either(question.tags ?? [])
    case 'withoutTags':
      return `“menos quem tem ${(question.withoutTags ?? []).join(', ')}”`
    case 'quietDays':
      return 'o tempo da última conversa'
    case 'contact':
      return either((question.contact ?? []).map((kind) => SEGMENT_CONTACT[kind]))
    case 'visit':
      return either((question.visit ?? []).map((kind) => SEGMENT_VISIT[kind]))
    default:
      return 'o valor'
  }
}

/** Removes conditions that exclude nobody, so that equal questions are equal. */
export function trimQuestion(question: SegmentQuestion): SegmentQuestion {
  const kept = Object.entries(question).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(kept)
}
