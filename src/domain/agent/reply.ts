// What a model may say to a lead: no price and no promise that no fact or tool stands behind, nothing of the machine itself.
import { isPromise, namesVisit } from './promises.ts'
import { hasStrangeTerm } from './terms.ts'
import { amountsIn, plainWords, tellsNumber } from './words.ts'
import { foldText } from '../search.ts'

export type ReplyFact = { label: string; value: string; isPrice: boolean }

/** Why an answer does not go out. */
export type ReplyFault = 'empty' | 'too-long' | 'price' | 'promise' | 'leak' | 'address'

/** Longer is no message that anybody reads. */
const MAX_REPLY = 1_000

/** Said by nobody who speaks to a lead: the prompt itself, or what a mask left behind. */
const LEAKS = [
  /\b(?:system prompt|prompt do sistema|minhas instrucoes|regras fixas|fatos conferidos)\b/,
  /\b(?:como (?:um )?modelo de linguagem|openai|chatgpt)\b/,
  // Nor does it pass for a person.
  /\bnao (?:sou|e|ha|tem) (?:um |uma |nenhum |1 )?(?:robo|maquina|bot|ia|inteligencia)\b|(?<!\bnao |\bsobre [^.!?\n]{0,30})\b(?:sou|quem fala e|aqui e)(?: (?:o|a|um|uma|1))?(?: (?!assistente)\p{L}+,)?(?: \p{L}+,)? (?:(?:o|a|um|uma|1|seu|sua) )?(?:humano|humana|pessoa|gente|real|corretora?|consultora?|atendente|vendedora?|gerente)\b/u,
  /\bcpf \d|\[(?:telefone|e-mail|cpf) ?\d*\]/,
  /<\/?(?:system|lead|fatos|tool)[^>]*>/,
]

/** What the lead has to spend is the lead's own word. */
const BUDGET = /\bseu orçamento (?:é |de |até |R\$ ?)*\d[\d.,]*(?: ?(?:mil|milhão|milhões)\b)?/giu

/** Null: it may go out. `known`: all else that was told it, whose links and numbers it may repeat. `visit`: when the lead's visit is booked, YYYY-MM-DD HH:MM, null without one. */
export function replyFault(
  text: string,
  { facts, visit, known = '' }: { facts: readonly ReplyFact[]; visit: string | null; known?: string },
): ReplyFault | null {
  const words = text.trim()
  if (words === '') return 'empty'
  if (words.length > MAX_REPLY) return 'too-long'
  const folded = plainWords(words)
  if (LEAKS.some((pattern) => pattern.test(foldText(words)) || pattern.test(folded))) return 'leak'
  const values = facts.map(({ value }) => value).join('\n')
  if (hasStrangeAddress(words, `${values}\n${known}`)) return 'address'
  const priced = new Set([
    ...facts.flatMap(({ value, isPrice }) => (isPrice ? amountsIn(value) : [])),
    // A licence, a postal code: figures without a coin.
    ...[...plainWords(values).matchAll(/(?<!\d)\d{5,7}(?!\d)/g)].map(Number),
  ])
  if (amountsIn(words.replace(BUDGET, ' ')).some((amount) => !priced.has(amount))) return 'price'
  if (hasStrangeTerm(folded, plainWords(values))) return 'promise'
  if (isPromise(folded) && !(visit !== null && namesVisit(folded, visit))) return 'promise'
  return null
}

const LINK =
  /(?:h\p{L}{2}ps?:\/\/|www\.)\S+|(?<![\p{L}\d._-])@[a-z\d_.]{3,}|(?<![\p{L}\d])(?:[a-z\d-]+\.)+(?:com|br|net|org|io|me|ly|app|link|site|online|xyz|info|dev|gg|to|page|shop|store|top|club|ru|cn|co|tk|cc)(?![a-z\d])(?:\/\S*)?|(?<![\p{L}\d])(?:[a-z\d-]+\.)+[a-z]{2,}\/[^\s/]\S*/gu
/** Eight figures or more, whatever stands between. */
const NUMBER = /(?<![\d.,$])\+?\(?\d(?:[\s().-]{0,2}\d){7,14}(?!\d)/g

/** Where a lead would be led to by somebody else's words: neither a fact nor a text nor the conversation has it. */
function hasStrangeAddress(words: string, known: string): boolean {
  const text = words
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(
      / ponto (?=(?:com|net|org)(?: ponto br|[\s]*(?:[.!?/]|$)))| ponto (?=br\b)| \. (?=\p{L}+ ?\/)/gu,
      '.',
    )
  const figures = known.replace(/\D/g, '')
  return (
    tellsNumber(words) ||
    [...text.matchAll(LINK)].some(([link]) => !known.toLowerCase().includes(link.replace(/[.,!?)]+$/, ''))) ||
    [...text.matchAll(NUMBER)].some(
      ([number]) =>
        !/^\d{1,3}(?:\.\d{3})+$/.test(number.trim()) && !figures.includes(number.replace(/\D/g, '')),
    )
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
