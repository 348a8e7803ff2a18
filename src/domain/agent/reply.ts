// Checks a model's text before it is sent to a lead. Every price and promise needs a fact or a tool, and nothing
// internal may appear.
import { LANGUAGE_LABEL, strangeLanguage } from './language.ts'
import { namesVisit, promiseIn } from './promises.ts'
import { strangeTerm } from './terms.ts'
import { amountsIn, plainWords, tellsNumber } from './words.ts'
import { formatNumber } from '../count.ts'
import { foldText } from '../search.ts'

export type ReplyFact = { label: string; value: string; isPrice: boolean }

export type ReplyFault = 'empty' | 'too-long' | 'price' | 'promise' | 'leak' | 'address' | 'language'

/** Longer answers are refused, because nobody reads them. */
const MAX_REPLY = 1_000

/** Parts of the prompt, and masks that were not replaced; an answer that contains one is refused. */
const LEAKS = [
  /\b(?:system prompt|prompt do sistema|minhas instrucoes|regras fixas|fatos conferidos)\b/,
  /\b(?:como (?:um )?modelo de linguagem|openai|chatgpt)\b/,
  // Claims that the agent is a person are refused too.
  /\bnao (?:sou|e|ha|tem) (?:um |uma |nenhum |1 )?(?:robo|maquina|bot|ia|inteligencia)\b|(?<!\bnao |\bsobre [^.!?\n]{0,30})\b(?:sou|quem fala e|aqui e)(?: (?:o|a|um|uma|1))?(?: (?!assistente)\p{L}+,)?(?: \p{L}+,)? (?:(?:o|a|um|uma|1|seu|sua) )?(?:humano|humana|pessoa|gente|real|corretora?|consultora?|atendente|vendedora?|gerente)\b/u,
  /\bcpf \d|\[(?:telefone|e-mail|cpf) ?\d*\]/,
  /<\/?(?:system|lead|fatos|tool)[^>]*>/,
]

/** A budget that the lead named; repeating it needs no fact. */
const BUDGET = /\bseu orçamento (?:é |de |até |R\$ ?)*\d[\d.,]*(?: ?(?:mil|milhão|milhões)\b)?/giu

type Told = {
  facts: readonly ReplyFact[]
  /** Day and hour of the lead's booked visit, YYYY-MM-DD HH:MM; null if none is booked. */
  visit: string | null
  /** Other parts of the prompt; the answer may repeat their links and numbers. */
  known?: string
  /** The lead's messages, oldest first. If there are none, the answer's language is not checked. */
  leadLines?: readonly string[]
}

/** Tells why an answer is refused; null if it may be sent. */
export const replyFault = (text: string, told: Told): ReplyFault | null =>
  judgeReply(text, told)?.fault ?? null

/** Tells why an answer is refused, with the statement that has no source. Null if the answer may be sent. */
export function judgeReply(
  text: string,
  { facts, visit, known = '', leadLines }: Told,
): { fault: ReplyFault; missing: string | null } | null {
  const words = text.trim()
  if (words === '') return { fault: 'empty', missing: null }
  if (words.length > MAX_REPLY) return { fault: 'too-long', missing: `${words.length} letras` }
  const folded = plainWords(words)
  if (LEAKS.some((pattern) => pattern.test(foldText(words)) || pattern.test(folded)))
    return { fault: 'leak', missing: null }
  const language = leadLines && strangeLanguage(words, leadLines)
  if (language) return { fault: 'language', missing: LANGUAGE_LABEL[language] }
  const values = facts.map(({ value }) => value).join('\n')
  const address = strangeAddress(words, `${values}\n${known}`)
  if (address !== null) return { fault: 'address', missing: address }
  const priced = new Set([
    ...facts.flatMap(({ value, isPrice }) => (isPrice ? amountsIn(value) : [])),
    // Facts may contain licence numbers and postal codes, which look like amounts.
    ...[...plainWords(values).matchAll(/(?<!\d)\d{5,7}(?!\d)/g)].map(Number),
  ])
  const amount = amountsIn(words.replace(BUDGET, ' ')).find((said) => !priced.has(said))
  if (amount !== undefined) return { fault: 'price', missing: `R$ ${formatNumber(amount)}` }
  const promise = strangeTerm(folded, plainWords(values)) ?? unkept(folded, visit)
  return promise === null ? null : { fault: 'promise', missing: `“${promise}”` }
}

const unkept = (folded: string, visit: string | null) =>
  visit !== null && namesVisit(folded, visit) ? null : promiseIn(folded)

const LINK =
  /(?:h\p{L}{2}ps?:\/\/|www\.)\S+|(?<![\p{L}\d._-])@[a-z\d_.]{3,}|(?<![\p{L}\d])(?:[a-z\d-]+\.)+(?:com|br|net|org|io|me|ly|app|link|site|online|xyz|info|dev|gg|to|page|shop|store|top|club|ru|cn|co|tk|cc)(?![a-z\d])(?:\/\S*)?|(?<![\p{L}\d])(?:[a-z\d-]+\.)+[a-z]{2,}\/[^\s/]\S*/gu
/** Matches eight or more digits, with any separators. */
const NUMBER = /(?<![\d.,$])\+?\(?\d(?:[\s().-]{0,2}\d){7,14}(?!\d)/g

/** Returns a link or number that is in no fact, no prompt and not in the conversation; null if there is none. */
function strangeAddress(words: string, known: string): string | null {
  const text = words
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(
      / ponto (?=(?:com|net|org)(?: ponto br|[\s]*(?:[.!?/]|$)))| ponto (?=br\b)| \. (?=\p{L}+ ?\/)/gu,
      '.',
    )
  const figures = known.replace(/\D/g, '')
  if (tellsNumber(words)) return 'um número por extenso'
  const links = [...text.matchAll(LINK)].map(([link]) => link.replace(/[.,!?)]+$/, ''))
  const numbers = [...text.matchAll(NUMBER)].map(([number]) => number.trim())
  return (
    links.find((link) => !known.toLowerCase().includes(link)) ??
    numbers.find(
      (number) => !/^\d{1,3}(?:\.\d{3})+$/.test(number) && !figures.includes(number.replace(/\D/g, '')),
    ) ??
    null
  )
}

/** Returns the labels of those facts whose amount or value the answer states. */
export function factsSaid<Fact extends ReplyFact>(text: string, facts: readonly Fact[]): Fact[] {
  const said = new Set(amountsIn(text))
  const folded = foldText(text)
  return facts.filter(({ value, isPrice }) =>
    isPrice ? amountsIn(value).some((amount) => said.has(amount)) : folded.includes(foldText(value)),
  )
}
