// What a model may say to a lead: no price and no promise that no fact or tool stands behind, nothing of the machine itself.
import { amountsIn, plainWords, tellsNumber } from './words.ts'
import { foldText } from '../search.ts'

export type ReplyFact = { label: string; value: string; isPrice: boolean }

/** Why an answer does not go out. */
export type ReplyFault = 'empty' | 'too-long' | 'price' | 'promise' | 'leak' | 'address'

/** Longer is no message that anybody reads. */
const MAX_REPLY = 1_000

const DAY = String.raw`(?:hoje|amanha|domingo|segunda|terca|quarta|quinta|sexta|sabado)(?:-feira)?`
const WHEN = String.raw`(?:para |pra |no |na |ao |a |o |de |nesta |neste )*(?:proxim[oa] )?(?:${DAY}|dia \d|as \d|\d{1,2}\/\d|\d{1,2} ?h)(?! a (?:${DAY}))`
const DAY_AND_HOUR = String.raw`(?:proxim[oa] )?${DAY}(?:,? (?:dia )?\d{1,2}(?:\/\d{1,2})?)?,? (?:as |a )?\d{1,2}(?!\d)`
const SLOT = String.raw`(?:(?:para |pra |no |na )?${DAY_AND_HOUR}|as \d{1,2}(?!\d))`
/** Around an hour that is offered, asked for or passed on. */
const OPEN = String.raw`(?:livre|disponive|horario|prefer|confirmar?\b|\babr[ei]|\baberto|funciona|\bou\b|\bver se\b|\bse\b|pergunt|vou (?:avisar|passar|repassar|falar|verificar|checar|consultar|pedir))`
const NOT_ASKED = String.raw`(?![^.!\n]*\?)`
const OFFICE = String.raw`(?<!\b(?:estande|escritorio|plantao|decorado|loja|condominio) (?:(?:esta|fica|estara|ficara) )?)`
/** A day that somebody counts on: 'tudo certo para sabado', 'te espero as 10h', 'pode vir amanha as 10'; asked, it is an offer. */
const AGREED = new RegExp(
  [
    String.raw`${OFFICE}\b(?:combinad[oa]|fechad[oa]|fechamos|acertad[oa]|(?:tudo|esta|ta) certo|de pe)(?: a visita)?,? ${WHEN}${NOT_ASKED}`,
    String.raw`\b(?:te|voce|lhe) (?:espero|esperamos|aguardo|aguardamos|esperando|aguardando),? ${WHEN}`,
    String.raw`\b(?:espero|esperamos|aguardo|aguardamos|esperando|aguardando) (?:por )?(?:voce|vc|a sua visita|sua visita|a visita),? ${WHEN}`,
    String.raw`\b(?:vai|vao|ira|estara|esta|te|lhe) (?:te |lhe )?(?:esper|aguard|receb|atend)(?:a|e|ar|er|ando|endo)(?: (?:por )?(?:te|voce|vc))?,? ${SLOT}`,
    String.raw`\b(?:podem? (?:vir|passar|aparecer|visitar|chegar)|venham?|vem|aparecer?|apareca|passe|compareca)(?: (?:aqui|la|ca|no estande|ao estande|o estande|conhecer|visitar))*,? ${WHEN}${NOT_ASKED}`,
    String.raw`\b(?:nos vemos|te vejo|vejo voce|a gente se ve|nos encontramos|te encontro),? ${WHEN}${NOT_ASKED}`,
    String.raw`(?<!${OPEN}[^.!?\n]*)\b${DAY_AND_HOUR}(?![^.!\n]*(?:\?|${OPEN}))`,
  ].join('|'),
  'g',
)
/** What is said of a visit; behind a booked one they are no promise. */
const BOOKINGS =
  /\b(?:agendad|marcad|confirmad)(?:inh|issim)?[ao]s?\b|\b(?:agendei|marquei|confirmei|agendamos|marcamos|confirmamos)\b/g
/** '10h', '10:30', '10 horas', 'as 10'. */
const HOURS = /\b(\d{1,2})(?: ?h(?:oras?)?(\d{2})?|:(\d{2}))\b|\bas (\d{1,2})\b(?! ?[:h])/g
const DAYS = /\b(\d{1,2})\/(\d{1,2})\b/g
const WEEKDAYS = ['domingo', 'segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado']

const DONE =
  '(?:reservad|agendad|marcad|confirmad|garantid|separad|segurad|assegurad|bloquead|guardad|aprovad(?!o pela prefeitura|a pela prefeitura))(?:inh|issim)?[ao]s?'
const UNIT = String.raw`(?:unidade|apartamento|apto|cobertura|vaga|imovel|casa|lote|\d{2,4})`
const DEAL = String.raw`(?:precinho|precos? (?:especia(?:l|is)|melhor(?:es)?|menor(?:es)?)|condic(?:ao|oes) (?:especia(?:l|is)|exclusivas?|melhor(?:es)?))`
/** 'Nada fica reservado', 'nao consigo reservar': the opposite of a promise, and taken out first. */
const DENIED = new RegExp(
  String.raw`\b(?:nao|nada|nunca|nem)(?: (?:te|lhe|se|ainda|ja|esta|estao|fica|ficam|foi|foram|e|sao|sera|ser|pode|podem|posso|podemos|consigo|conseguimos|vou|vamos))* (?:${DONE}|reservar|agendar|marcar|confirmar|segurar|garantir|separar|bloquear|guardar|aprovar|prometer|reservo|reservamos|agendo|agendamos|garanto|garantimos|prometo|prometemos|aprovamos)\b`,
  'g',
)
/** What only a tool may have done. 'Posso agendar' and 'quer reservar?' are none. */
const PROMISES = [
  `\\b(?:esta|estao|ja esta|foi|foram|ficou|fica|ficara|sera|serao|vai ser|vai ficar|ta|deixei|deixo|deixamos|esta tudo|tudo) (?:ja |tudo )?${DONE}\\b`,
  String.raw`\b(?:reservei|agendei|marquei|confirmei|garanti|separei|segurei|bloqueei|guardei|aprovei|aprovamos|travei|congelei)\b`,
  String.raw`\b(?:reservamos|agendamos|marcamos|confirmamos|separamos|seguramos|bloqueamos|guardamos)\b${NOT_ASKED}`,
  String.raw`\b(?:reservo|separo|seguro|guardo|bloqueio) (?:para|pra|ela|ele|a|o|essa|esse) `,
  String.raw`\b(?:vou|vamos|irei|iremos|consigo|conseguimos) (?:ja |te |lhe |deixar |tentar )*(?:reservar|segurar|garantir|separar|bloquear|guardar|aprovar)\b`,
  `\\b(?:reserva|visita|agendamento|unidade|apartamento|apto|vaga|casa|lote|cobertura|credito|financiamento|desconto) (?:\\d+ )?(?:esta |foi |ja |pre.?)*${DONE}\\b`,
  // Alone they say the same; of what may be done, or is set aside for good, they do not.
  String.raw`(?<!\b(?:ser|seja|sejam|for|forem|fosse|nao|nenhuma|nenhum|sem|se|areas?|espacos?|ambientes?) )\b(?:reservad|agendad|garantid)(?:inh|issim)?[ao]s?\b`,
  String.raw`(?:^|[.!?] )(?:marcad|confirmad|fechad)(?:inh|issim)?[ao]s?(?= ?[!.,:]|$| para\b| pra\b)`,
  String.raw`\bnegocio fechado\b|${OFFICE}\b(?:esta|ta) fechad[oa](?= ?[!.]|$)`,
  String.raw`\b(?:fiz|fizemos|efetuei|realizei|conclui|registrei) (?:ja )?(?:a |o |1 )?(?:sua |seu )?(?:pre-?)?(?:reserva|agendamento)\b`,
  String.raw`\b(?:reserva|agendamento|agenda)(?: (?!e\b)\p{L}+)? (?:feit|ativ|concluid|efetuad|realizad)[oa]\b`,
  String.raw`\b(?:coloquei|pus|inclui|incluimos)\b[^.!?\n]{0,30}\b(?:agenda|lista)\b|\bvoce (?:ja )?esta na agenda\b|\banotei (?:a )?(?:sua )?visita\b`,
  String.raw`\b${UNIT} (?:\d+ )?(?:ja )?(?:e|sera|vai ser) (?:tod[oa] )?(?:seu|sua|teu|tua)\b(?! \p{L})|\bpode considerar (?:como )?(?:seu|sua)\b|\bnao (?:vou|vamos) vender (?:para|pra) outr`,
  String.raw`\b${UNIT} (?:\d+ )?(?:ja )?(?:fica|ficara|vai ficar|esta) (?:segur[oa] )?(?:com|para|pra) (?:voce|vc)\b${NOT_ASKED}`,
  String.raw`\b(?:vou|vamos) deixar\b[^.!?\n]{0,20}\b(?:separad|guardad|segur|bloquead)`,
  String.raw`\b(?:esta|fica|ficou|coloquei|deixei|pus)\b[^.!?\n]{0,30}\bno seu nome\b${NOT_ASKED}`,
  String.raw`(?<!\b(?:nao|nem) )\b(?:vou|posso|consigo|consegui|conseguimos|podemos|faco|fazemos|damos|dou) (?:te |lhe )?(?:dar|fazer|liberar|garantir|conceder|conseguir)?\s?(?:um |uma |1 |o |seu |ate )?(?:bom |otimo |super )?(?:desconto|abatimento|${DEAL})\b`,
  String.raw`(?<!\b(?:nao|nem) )\b(?:baix|abaix|reduz|melhor)(?:o|amos|imos) o (?:preco|valor)\b|(?<!\b(?:nao|nem) )\b(?:vou|posso|consigo|conseguimos|podemos) (?:baixar|abaixar|reduzir|melhorar) o (?:preco|valor)\b`,
  String.raw`\b(?:mantenho|mantemos|congelo|congelamos|seguro|seguramos) (?:o |esse |este )?(?:preco|valor)\b|\b(?:preco|valor) (?:esta |fica |ficou )?(?:mantido|congelado|travado)|\b(?:preco|valor) nao vai (?:subir|aumentar)`,
  String.raw`\bproposta (?:foi |esta |ja )*aceita\b|\b(?:aceit|aprov)(?:o|ei|amos) (?:a )?(?:sua )?proposta\b|\b(?:documentos?|documentacao|cadastro) (?:foi |esta |ja )*aprovad`,
  String.raw`\b(?:vai|ira) (?:valorizar|lucrar|render)\b|\binvestimento (?:\p{L}+ )?sem risco\b`,
  // No money moves by a chat.
  String.raw`(?<!\b(?:nao|nunca) )\b(?:pode|faca|fazer|mande|manda|envie|deposite|transfira|pague)\b[^.!?\n]{0,30}\b(?:sinal|pix|deposito|transferencia|boleto)\b${NOT_ASKED}`,
  String.raw`\b(?:desconto|abatimento|reducao) (?:especial )?de (?:ate )?\d|\d ?%(?: de)? (?:desconto|off|abatimento)\b`,
  String.raw`\b(?:garanto|garantimos|asseguro|asseguramos|prometo|prometemos)\b`,
  String.raw`\b(?:seu |o )?(?:credito|financiamento) (?:sera|vai ser|esta) (?:pre.?)?aprovado\b`,
  String.raw`\baprovacao (?:e |sera )?(?:certa|imediata|na hora)\b|\b(?:credito|financiamento|aprovacao) sai com certeza\b|\bbanco (?:vai aprovar|aprova com certeza)\b`,
].map((pattern) => new RegExp(pattern, 'u'))

/** Terms of a deal: said only as a fact has them. */
const TERMS = new RegExp(
  [
    String.raw`\b(?:sem (?:juros|entrada|fiador|consulta|comprovacao|comprovar)|juros zero|zero de entrada|isent[oa]s?|isencao|gratis|de graca|brindes?|cashback|negativad[oa]s?)`,
    String.raw`\b(?:100 ?% financiad[oa]|financia(?:mos|m)? (?:ate )?100 ?%|por nossa conta|por conta da construtora|nao (?:paga|cobra(?:mos)?) \p{L}+|ultim[ao]s (?:unidades|apartamentos|lotes)|so (?:ate )?hoje|tem(?:os)? (?:1 )?${DEAL})`,
    String.raw`\b(?:[3-9]|\d{2,3}) ?(?:vezes\b(?! (?:por|ao|a|mais|maior)\b)|x\b(?! ?\d)|parcelas\b|prestacoes\b|mensais\b)`,
    String.raw`\bganha (?:\p{L}+ |1 ){0,2}(?:vaga|armarios?|moveis|cozinha|escritura)`,
    String.raw`\b\d+(?:,\d+)? ?(?:%|por 100\b)`,
  ].join('|'),
  'gu',
)

const PER_CENT = String.raw`\d+(?:,\d+)? ?(?:%|por 100\b)`
const DONE_SO_FAR = '(?:concluid|pront|executad|construid|erguid|realizad|acabad|feit)[oa]s?'
/** How far a building is, and how much of the ground is green: a percentage that is no deal. */
const PROGRESS = new RegExp(
  [
    String.raw`\b${PER_CENT}(?: (?:das? obras?|da construcao|da estrutura|da fundacao))?(?: (?:ja|esta|estao))* ${DONE_SO_FAR}\b`,
    String.raw`\b${PER_CENT} de (?:conclusao|execucao|avanco|areas? verdes?|mata|vegetacao|preservacao)\b`,
    String.raw`\b${PER_CENT} d[oa] (?:terreno|area)(?: total)? (?:e|sao|fica|ficam|sera|serao|e de|com) (?:de )?(?:area |areas |mata )?(?:verde|livre|preservad|nativ|lazer|permeavel)`,
    String.raw`\b(?:obras?|construcao|fundacao|estrutura) (?:ja |hoje |agora )*(?:esta|estao|chegou|chegaram|passou|passaram|avancou|avancaram|segue|seguem)(?: (?:ja|em|a|de|com|dos?|nos?|para|quase|cerca|mais))* ${PER_CENT}(?! (?:de (?:entrada|desconto|juros|sinal)|do (?:valor|preco)))`,
  ].join('|'),
  'gu',
)

/** Said by nobody who speaks to a lead: the prompt itself, or what a mask left behind. */
const LEAKS = [
  /\b(?:system prompt|prompt do sistema|minhas instrucoes|regras fixas|fatos conferidos)\b/,
  /\b(?:como (?:um )?modelo de linguagem|openai|chatgpt)\b/,
  // Nor does it pass for a person.
  /\bnao (?:sou|e|ha|tem) (?:um |uma |nenhum |1 )?(?:robo|maquina|bot|ia|inteligencia)\b|(?<!\bnao )\b(?:sou|quem fala e|aqui e)(?: (?:o|a|um|uma|1))?(?: (?!assistente)\p{L}+,)?(?: \p{L}+,)? (?:(?:o|a|um|uma|1|seu|sua) )?(?:humano|humana|pessoa|gente|real|corretora?|consultora?|atendente|vendedora?|gerente)\b/u,
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
  const said = plainWords(values)
  const terms = folded.replace(PROGRESS, ' ').matchAll(TERMS)
  if ([...terms].some(([term]) => term !== '100%' && !said.includes(term))) return 'promise'
  if (isPromise(folded) && !(visit !== null && namesVisit(folded, visit))) return 'promise'
  return null
}

const LINK =
  /(?:h\p{L}{2}ps?:\/\/|www\.)\S+|(?<![\p{L}\d._-])@[a-z\d_.]{3,}|(?<![\p{L}\d])(?:[a-z\d-]+\.)+(?:com|br|net|org|io|me|ly|app|link|site|online|xyz|info|dev|gg|to|page|shop|store|top|club|ru|cn|co|tk|cc)(?![a-z\d])(?:\/\S*)?/gu
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

function isPromise(folded: string): boolean {
  const words = folded.replace(DENIED, ' ')
  return PROMISES.some((pattern) => pattern.test(words)) || words.search(AGREED) !== -1
}

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
      ([, hours, past, minutes, bare = '']) =>
        `${(hours ?? bare).padStart(2, '0')}:${past ?? minutes ?? '00'}` === hour,
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
