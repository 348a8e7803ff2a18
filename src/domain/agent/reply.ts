// What a model may say to a lead: no price and no promise that no fact or tool stands behind, nothing of the machine itself.
import { LANGUAGE_LABEL, strangeLanguage } from './language.ts'
import { namesVisit, promiseIn } from './promises.ts'
import { strangeTerm } from './terms.ts'
import { amountsIn, plainWords, tellsNumber } from './words.ts'
import { formatNumber } from '../count.ts'
import { foldText } from '../search.ts'

export type ReplyFact = { label: string; value: string; isPrice: boolean }

/** Why an answer does not go out. */
export type ReplyFault = 'empty' | 'too-long' | 'price' | 'promise' | 'leak' | 'address' | 'language'

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

type Told = {
  facts: readonly ReplyFact[]
  /** When the lead's visit is booked, YYYY-MM-DD HH:MM; null without one. */
  visit: string | null
  /** All else that was told it, whose links and numbers it may repeat. */
  known?: string
  /** What the lead wrote, the oldest first; none: its language is not looked at. */
  leadLines?: readonly string[]
}

/** Null: it may go out. */
export const replyFault = (text: string, told: Told): ReplyFault | null =>
  judgeReply(text, told)?.fault ?? null

/** Why an answer may not go out, and what in it has nothing behind it; null: it may. */
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
    // A licence, a postal code: figures without a coin.
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
/** Eight figures or more, whatever stands between. */
const NUMBER = /(?<![\d.,$])\+?\(?\d(?:[\s().-]{0,2}\d){7,14}(?!\d)/g

/** Where a lead would be led to by somebody else's words: neither a fact nor a text nor the conversation has it; null for none. */
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

/** The labels of the facts that an answer says an amount of, or the value of. */
export function factsSaid<Fact extends ReplyFact>(text: string, facts: readonly Fact[]): Fact[] {
  const said = new Set(amountsIn(text))
  const folded = foldText(text)
  return facts.filter(({ value, isPrice }) =>
    isPrice ? amountsIn(value).some((amount) => said.has(amount)) : folded.includes(foldText(value)),
  )
}
