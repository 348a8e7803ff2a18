// What a model may say to a lead: no price and no promise that no fact or tool stands behind, nothing of the machine itself.
import { amountsIn, plainWords } from './words.ts'
import { foldText } from '../search.ts'

export type ReplyFact = { label: string; value: string; isPrice: boolean }

/** Why an answer does not go out. */
export type ReplyFault = 'empty' | 'too-long' | 'price' | 'promise' | 'leak' | 'address'

/** Longer is no message that anybody reads. */
const MAX_REPLY = 1_000

const WHEN = String.raw`(?:para |pra |no |na |ao |a |o |de |nesta |neste )*(?:proxim[oa] )?(?:hoje|amanha|dia \d|as \d|\d{1,2}\/\d|\d{1,2} ?h|domingo|segunda|terca|quarta|quinta|sexta|sabado)`
/** A day that somebody counts on: 'tudo certo para sabado', 'te espero as 10h'; asked, it is an offer. */
const AGREED = new RegExp(
  String.raw`\b(?:combinad[oa]|fechad[oa]|acertad[oa]|(?:tudo|esta) certo)(?: a visita)?,? ${WHEN}(?![^.!\n]*\?)|\b(?:te|voce|lhe) (?:espero|esperamos|aguardo|aguardamos|esperando|aguardando),? ${WHEN}|\b(?:espero|esperamos|aguardo|aguardamos|esperando|aguardando) (?:por )?(?:voce|vc|a sua visita|sua visita|a visita),? ${WHEN}`,
  'g',
)
/** What is said of a visit; behind a booked one they are no promise. */
const BOOKINGS =
  /\b(?:agendad|marcad|confirmad)(?:inh)?[ao]s?\b|\b(?:agendei|marquei|confirmei|agendamos|marcamos|confirmamos)\b/g
/** '10h', '10:30', '10 horas'. */
const HOURS = /\b(\d{1,2})(?: ?h(?:oras?)?(\d{2})?|:(\d{2}))\b/g
const DAYS = /\b(\d{1,2})\/(\d{1,2})\b/g
const WEEKDAYS = ['domingo', 'segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado']

const DONE =
  '(?:reservad|agendad|marcad|confirmad|garantid|aprovad|separad|segurad|bloquead|guardad)(?:inh|issim)?[ao]s?'
/** What only a tool may have done. 'Posso agendar' and 'quer reservar?' are none. */
const PROMISES = [
  `\\b(?:esta|estao|ja esta|foi|foram|ficou|fica|ficara|sera|serao|vai ser|vai ficar|ta|deixei|deixo|deixamos|esta tudo|tudo) (?:ja |tudo )?${DONE}\\b`,
  String.raw`\b(?:reservei|agendei|marquei|confirmei|garanti|separei|segurei|bloqueei|guardei|aprovei|aprovamos)\b`,
  String.raw`\b(?:reservamos|agendamos|marcamos|confirmamos|separamos|seguramos|bloqueamos|guardamos)\b(?![^.!\n]*\?)`,
  String.raw`\b(?:reservo|separo|seguro|guardo|bloqueio) (?:para|pra|ela|ele|a|o|essa|esse) `,
  String.raw`\b(?:vou|vamos|irei|iremos|consigo|conseguimos) (?:ja |te |lhe |deixar |tentar )*(?:reservar|segurar|garantir|separar|bloquear|guardar|aprovar)\b`,
  `\\b(?:reserva|visita|agendamento|unidade|apartamento|apto|vaga|casa|lote|cobertura|credito|financiamento|desconto) (?:\\d+ )?(?:esta |foi |ja |pre.?)*${DONE}\\b`,
  // Alone they say the same; of what may be done they do not.
  String.raw`(?<!\b(?:ser|seja|sejam|for|forem|fosse|nao|nenhuma|nenhum|sem|se) )\b(?:reservad|agendad)(?:inh|issim)?[ao]s?\b`,
  String.raw`\b(?:unidade|apartamento|apto|cobertura|vaga|imovel|casa|lote|\d{2,4}) (?:\d+ )?(?:ja )?(?:e|sera|vai ser) (?:tod[oa] )?(?:seu|sua)\b(?! \p{L})`,
  String.raw`\b(?:esta|fica|ficou|coloquei|deixei|pus)\b[^.!?\n]{0,30}\bno seu nome\b(?![^.!\n]*\?)`,
  String.raw`(?<!\b(?:nao|nem) )\b(?:vou|posso|consigo|consegui|conseguimos|podemos|faco|fazemos|damos|dou) (?:te |lhe )?(?:dar|fazer|liberar|garantir|conceder)?\s?(?:um |1 |o |seu |ate )?(?:bom |otimo |super )?(?:desconto|abatimento)\b`,
  String.raw`\b(?:desconto|abatimento|reducao) (?:especial )?de (?:ate )?\d|\d ?%(?: de)? (?:desconto|off|abatimento)\b`,
  String.raw`\b(?:garanto|garantimos|prometo|prometemos)\b`,
  String.raw`\b(?:seu |o )?(?:credito|financiamento) (?:sera|vai ser|esta) (?:pre.?)?aprovado\b`,
].map((pattern) => new RegExp(pattern, 'u'))

/** Terms of a deal: said only as a fact has them. */
const TERMS =
  /\b(?:sem juros|juros zero|zero de entrada|sem entrada|isent[oa]s?|isencao|gratis|de graca|brindes?|cashback|\d+(?:,\d+)? ?(?:%|por 100\b))/g

/** Said by nobody who speaks to a lead: the prompt itself, or what a mask left behind. */
const LEAKS = [
  /\b(?:system prompt|prompt do sistema|minhas instrucoes|regras fixas|fatos conferidos)\b/,
  /\b(?:como (?:um )?modelo de linguagem|openai|chatgpt)\b/,
  /\bcpf \d|\[(?:telefone|e-mail|cpf) ?\d*\]/,
  /<\/?(?:system|lead|fatos|tool)[^>]*>/,
]

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
  if (amountsIn(words).some((amount) => !priced.has(amount))) return 'price'
  const said = plainWords(values)
  if ([...folded.matchAll(TERMS)].some(([term]) => term !== '100%' && !said.includes(term))) return 'promise'
  if (isPromise(folded) && !(visit !== null && namesVisit(folded, visit))) return 'promise'
  return null
}

const LINK =
  /(?:https?:\/\/|www\.)\S+|(?<![\p{L}\d])(?:[a-z\d-]+\.)+(?:com|br|net|org|io|me|ly|app|link|site|online|xyz|info|dev|gg|to|page|shop|store|top|club|ru|cn|co|tk|cc)(?![a-z\d])(?:\/\S*)?/gu
/** Eight figures or more, whatever stands between. */
const NUMBER = /(?<![\d.,$])\+?\(?\d(?:[\s().-]{0,2}\d){7,14}(?!\d)/g

/** Where a lead would be led to by somebody else's words: neither a fact nor a text nor the conversation has it. */
function hasStrangeAddress(words: string, known: string): boolean {
  const text = words
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
  const figures = known.replace(/\D/g, '')
  return (
    [...text.matchAll(LINK)].some(([link]) => !known.toLowerCase().includes(link.replace(/[.,!?)]+$/, ''))) ||
    [...text.matchAll(NUMBER)].some(
      ([number]) =>
        !/^\d{1,3}(?:\.\d{3})+$/.test(number.trim()) && !figures.includes(number.replace(/\D/g, '')),
    )
  )
}

const isPromise = (folded: string) =>
  PROMISES.some((pattern) => pattern.test(folded)) || folded.search(AGREED) !== -1

/** Whether all it promises is this visit, at its own day and hour. */
function namesVisit(folded: string, visit: string): boolean {
  if (
    isPromise(folded.replace(BOOKINGS, ' ').replace(AGREED, ' ')) ||
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
