// Detects promises that need a tool or a fact: bookings, reservations, discounts, credit, appointments.
import { DEAL } from './terms.ts'

const DAY = String.raw`(?:hoje|amanha|domingo|segunda|terca|quarta|quinta|sexta|sabado)(?:-feira)?`
const WHEN = String.raw`(?:para |pra |no |na |ao |a |o |de |nesta |neste )*(?:proxim[oa] )?(?:${DAY}|dia \d|as \d|\d{1,2}\/\d|\d{1,2} ?h)(?! a (?:${DAY}))`
const DAY_AND_HOUR = String.raw`(?:proxim[oa] )?${DAY}(?:,? (?:dia )?\d{1,2}(?:\/\d{1,2})?)?,? (?:as |a )?\d{1,2}(?!\d)`
const SLOT = String.raw`(?:(?:para |pra |no |na )?${DAY_AND_HOUR}|as \d{1,2}(?!\d))`
/** Contexts in which an hour is only offered, asked for or passed on to a person. */
const OPEN = String.raw`(?:livre|disponive|horario|prefer|confirmar?\b|\babr[ei]|\baberto|funciona|\bou\b|\bver se\b|\bse\b|pergunt|vou (?:avisar|passar|repassar|falar|verificar|checar|consultar|pedir))`
const NOT_ASKED = String.raw`(?![^.!\n]*\?)`
const OFFICE = String.raw`(?<!\b(?:estande|escritorio|plantao|decorado|loja|condominio) (?:(?:esta|fica|estara|ficara) )?)`
/**
 * Matches a fixed appointment, such as 'tudo certo para sabado', 'te espero as 10h' or 'pode vir amanha as 10'. As a
 * question, each is only an offer.
 */
const AGREED = new RegExp(
  [
    String.raw`${OFFICE}\b(?:combinad[oa]|fechad[oa]|fechamos|acertad[oa]|(?:tudo|esta|ta) certo|de pe)(?: a visita)?,? ${WHEN}${NOT_ASKED}`,
    String.raw`\b(?:te|voce|lhe) (?:esper(?:o|a|am|amos|ando)|aguard(?:o|a|am|amos|ando)),? ${WHEN}`,
    String.raw`\b(?:espero|esperamos|aguardo|aguardamos|esperando|aguardando) (?:por )?(?:voce|vc|a sua visita|sua visita|a visita),? ${WHEN}`,
    String.raw`\b(?:vai|vao|ira|estara|esta|te|lhe) (?:te |lhe )?(?:esper|aguard|receb|atend)(?:a|e|ar|er|ando|endo)(?: (?:por )?(?:te|voce|vc))?,? ${SLOT}`,
    String.raw`\b(?:encontr[oa]|(?:vai|vao) estar)(?: (?:te|voce|la|aqui|no estande|na portaria))*,? ${SLOT}${NOT_ASKED}`,
    String.raw`\b(?:podem? (?:vir|passar|aparecer|visitar|chegar)|venham?|vem|aparecer?|apareca|passe|compareca)(?: (?:aqui|la|ca|no estande|ao estande|o estande|conhecer|visitar))*,? ${WHEN}${NOT_ASKED}`,
    String.raw`\b(?:nos vemos|te vejo|vejo voce|a gente se ve|nos encontramos|te encontro),? ${WHEN}${NOT_ASKED}`,
    String.raw`(?<!${OPEN}[^.!?\n]*)\b${DAY_AND_HOUR}(?![^.!\n]*(?:\?|${OPEN}))`,
  ].join('|'),
  'g',
)
/** Phrases that confirm a visit. They are no promise once the visit is booked. */
const BOOKINGS =
  /\b(?:agendad|marcad|confirmad)(?:inh|issim)?[ao]s?\b|\b(?:agendei|marquei|confirmei|agendamos|marcamos|confirmamos|(?:acabei de|consegui) (?:agendar|marcar|confirmar))\b/g
/** Matches an hour: '10h', '10:30', '10 horas', 'as 10'. */
const HOURS = /\b(\d{1,2})(?: ?h(?:oras?)?(\d{2})?|:(\d{2}))\b|\bas (\d{1,2})\b(?! ?[:h])/g
const DAYS = /\b(\d{1,2})\/(\d{1,2})\b/g
const WEEKDAYS = ['domingo', 'segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado']

const DONE =
  '(?:reservad|agendad|marcad|confirmad|garantid|separad|segurad|assegurad|bloquead|guardad|aprovad)(?:inh|issim)?[ao]s?'
const UNIT = String.raw`(?:unidade|apartamento|apto|ape|cobertura|vaga|imovel|casa|lote|\d{2,4})`
/**
 * The opposite of a promise, such as 'nada fica reservado' or 'nao consigo reservar'. These parts are removed first.
 */
const DENIED = new RegExp(
  String.raw`\b(?:nao|nada|nunca|nem)(?: (?:te|lhe|se|ainda|ja|esta|estao|fica|ficam|foi|foram|e|sao|sera|ser|pode|podem|posso|podemos|consigo|conseguimos|vou|vamos))* (?:${DONE}|reservar|agendar|marcar|confirmar|segurar|garantir|separar|bloquear|guardar|aprovar|prometer|reservo|reservamos|agendo|agendamos|garanto|garantimos|prometo|prometemos|aprovamos)\b`,
  'g',
)
/**
 * Sound like promises and are none: how a process works, building permits, what the lead already has. Removed too.
 */
const TOLD = new RegExp(
  [
    String.raw`\b(?:visitas?|reservas?|horarios?|unidades?) (?:sao|e) (?:sempre |so )?${DONE} (?:com|pel[oa]s?|no|na|por|direto|diretamente)\b`,
    String.raw`\b(?:projetos?|plantas?|fachada|alvara|loteamento|obra|habite-se) (?:ja )?(?:(?:foi|foram|esta|estao) )?(?:ja )?aprovad[oa]s?\b`,
    String.raw`\baprovad[oa]s? (?:pel[oa]s?|n[oa]s?) (?:prefeitura|municipio|orgaos?|cartorio|bombeiros)\b`,
    String.raw`(?:^|(?<=[.!?\n] ?))(?:e )?(?:voce |vc )?ja (?:tem|possui|fez|agendou|marcou|reservou)\b[^.,;:!?\n]*\?`,
    String.raw`(?:^|(?<=[.!?\n] ?))(?:e )?(?:o )?seu (?:credito|financiamento) ja (?:foi|esta) (?:pre.?)?aprovado(?: (?:pelo|no|por) [^.,;:!?\n]+)?\?`,
  ].join('|'),
  'g',
)
const DISCOUNT = '(?:descont(?:o|inho|ao|aco)s?|abatimentos?|promocao|bonus)'
/** Excludes what is only asked or denied, such as 'vou perguntar se ha desconto' or 'nao temos desconto'. */
const NOT_WONDERED = String.raw`(?<!\b(?:nao|nem|sem|se|caso)\b[^.!?\n]{0,25})`
/** Promises in English and Spanish. */
const ABROAD = [
  String.raw`(?<!\b(?:not|never|cannot|can't|won't)\b[^.!?\n]{0,20})\b(?:i|we|i've|we've|i'll|we'll|i can|we can)(?: (?:have|will|just|already|can|could))* (?:reserved?|book(?:ed)?|h[eo]ld|guaranteed?|secured?|approved?|promised?)\b`,
  String.raw`(?<!\b(?:if|not|once)\b[^.!?\n]{0,20})\b(?:is|are|been|'s|now) (?:already |now )?(?:reserved|booked|guaranteed|secured|approved|confirmed|yours)\b`,
  String.raw`\b(?:i|we) (?:can |will |could )?(?:give|offer|get) (?:you )?(?:a |some )?discount|\b\d+ ?% (?:off|discount)|\bfree of charge\b|\blast (?:unit|apartment)\b`,
  String.raw`\b(?:te |le )?(?:garantizo|garantizamos|aseguro|aseguramos|reserve|apart[eo]|separe) (?:el|la|su|tu|que|1|un|una)\b|\bdescuento (?:de|especial|para)\b|\bultima unidad\b`,
]
/** Claims of actions that only a tool can do. 'Posso agendar' and 'quer reservar?' are not among them. */
const PROMISES = [
  `\\b(?:esta|estao|ja esta|foi|foram|ficou|fica|ficara|sera|serao|vai ser|vai ficar|ta|deixei|deixo|deixamos|esta tudo|tudo) (?:ja |tudo )?${DONE}\\b`,
  String.raw`\b(?:reservei|agendei|marquei|confirmei|garanti|separei|segurei|bloqueei|guardei|aprovei|aprovamos|travei|congelei)\b`,
  String.raw`\b(?:reservamos|agendamos|marcamos|confirmamos|separamos|seguramos|bloqueamos|guardamos)\b${NOT_ASKED}`,
  String.raw`\b(?:reservo|separo|seguro|guardo|bloqueio) (?:para|pra|ela|ele|a|o|essa|esse) |(?<!\be )\b(?:reservo|separo|seguro|guardo) ate ${DAY}\b`,
  String.raw`\b(?:vou|vamos|irei|iremos|consigo|conseguimos) (?:ja |te |lhe |deixar |tentar )*(?:reservar|segurar|garantir|separar|bloquear|guardar|aprovar)\b`,
  `\\b(?:reserva|visita|agendamento|unidade|apartamento|apto|vaga|casa|lote|cobertura|credito|financiamento|desconto) (?:\\d+ )?(?:esta |foi |ja |pre.?)*${DONE}\\b`,
  // A participle alone is a promise, unless it describes a possibility or a permanent state.
  String.raw`(?<!\b(?:ser|seja|sejam|for|forem|fosse|estiver|esteja|bairro|condominio|lugar|local|nao|nenhuma|nenhum|sem|se|areas?|espacos?|ambientes?) )\b(?:reservad|agendad|garantid)(?:inh|issim)?[ao]s?\b`,
  String.raw`(?:^|[.!?] )(?:marcad|confirmad|fechad|aprovad)(?:inh|issim)?[ao]s?(?= ?[!.,:]|$| para\b| pra\b)`,
  String.raw`\bnegocio fechado\b|${OFFICE}\b(?:esta|ta) fechad[oa](?= ?[!.]|$)`,
  String.raw`\b(?:fiz|fizemos|efetuei|realizei|conclui|registrei) (?:ja )?(?:a |o |1 )?(?:sua |seu )?(?:pre-?)?(?:reserva|agendamento)\b`,
  String.raw`\b(?:reserva|agendamento|agenda)(?: (?!e\b)\p{L}+)? (?:feit|ativ|concluid|efetuad|realizad)[oa]\b`,
  String.raw`\b(?:coloquei|botei|pus|inclui|incluimos)\b[^.!?\n]{0,30}\b(?:agenda|lista|fila)\b|\b(?:esta|ta) na (?:agenda|lista|fila)\b|\banotei (?:a )?(?:sua )?visita\b`,
  String.raw`\b${UNIT} (?:\d+ )?(?:ja )?(?:e|sera|vai ser) (?:tod[oa] )?(?:seu|sua|teu|tua)\b(?! \p{L})|\bpode considerar (?:como )?(?:seu|sua)\b|\bnao (?:vou|vamos) vender (?:para|pra) outr`,
  String.raw`\b${UNIT} (?:\d+ )?(?:ja )?(?:fica|ficara|vai ficar|esta) (?:segur[oa] )?(?:com|para|pra) (?:voce|vc)\b${NOT_ASKED}`,
  String.raw`\b(?:vou|vamos) deixar\b[^.!?\n]{0,20}\b(?:separad|guardad|segur|bloquead)`,
  String.raw`\b(?:esta|fica|ficou|coloquei|deixei|pus)\b[^.!?\n]{0,30}\bno seu nome\b${NOT_ASKED}`,
  String.raw`(?<!\b(?:nao|nem) )\b(?:vou|posso|consigo|consegui|conseguimos|podemos|faco|fazemos|damos|dou) (?:te |lhe )?(?:dar|fazer|liberar|garantir|conceder|conseguir)?\s?(?:um |uma |1 |o |seu |ate )?(?:bom |otimo |super )?(?:${DISCOUNT}|${DEAL})\b`,
  String.raw`(?<!\b(?:nao|nem) )\b(?:baix|abaix|reduz|melhor)(?:o|amos|imos) o (?:preco|valor)\b|(?<!\b(?:nao|nem) )\b(?:vou|posso|consigo|conseguimos|podemos) (?:baixar|abaixar|reduzir|melhorar) o (?:preco|valor)\b`,
  String.raw`\b(?:mantenho|mantemos|congelo|congelamos|seguro|seguramos) (?:o |os |as |esse |este )?(?:precos?|valor(?:es)?|parcelas)\b|\b(?:preco|valor) (?:esta |fica |ficou )?(?:mantido|congelado|travado)|\b(?:preco|valor) nao vai (?:subir|aumentar)`,
  String.raw`(?<!\b(?:com|apos|depois d)[ao]? (?:a )?)\bproposta (?:foi |esta |ja )*(?:aceita|aprovada)\b|(?<!\b(?:com|apos|depois d)o? (?:o )?)\bcontrato (?:foi |esta |ja )*assinado\b${NOT_ASKED}|\b(?:aceit|aprov)(?:o|ei|amos) (?:a )?(?:sua )?proposta\b|\b(?:documentos?|documentacao|cadastro) (?:foi |esta |ja )*aprovad`,
  String.raw`\b(?:vai|ira) (?:valorizar|lucrar|render)\b|\brisco zero\b|\b(?:sem|nao (?:tem|ha|existe)) (?:nenhum )?risco\b(?! d[aeo])|\b(?:dobr|triplic)ar? (?:de |o )?(?:valor|preco)|\b(?:retorno|lucro|renda) cert[oa]\b`,
  String.raw`\bparabens pel[ao] (?:sua |seu )?(?:compra|aquisicao|apartamento|imovel|casa|cobertura)\b|${NOT_WONDERED}\b(?:voce|vc) conseguiu (?:o|a)\b${NOT_ASKED}`,
  String.raw`${NOT_WONDERED}\b${DISCOUNT} (?:e|sera) (?:automatic|cert|garantid|seu)|\b(?:com|dou|de) \d+ de ${DISCOUNT}\b`,
  // The agent must not ask for a payment in a chat.
  String.raw`(?<!\b(?:nao|nunca) )\b(?:pode|faca|fazer|mande|manda|envie|deposite|transfira|pague)\b[^.!?\n]{0,30}\b(?:sinal|pix|deposito|transferencia|boleto|(?:na|para a) conta)\b${NOT_ASKED}`,
  String.raw`\b(?:desconto|abatimento|reducao) (?:especial )?de (?:ate )?\d|\d ?%(?: de)? (?:desconto|off|abatimento)\b`,
  String.raw`\b(?:garanto|garantimos|asseguro|asseguramos|prometo|prometemos|prometido|juro (?:que|por)|(?:dou|tem) (?:a )?minha palavra)\b`,
  String.raw`\b(?:seu |o )?(?:credito|financiamento) (?:sera|vai ser|esta) (?:pre.?)?aprovado\b`,
  String.raw`\baprovacao (?:e |sera )?(?:certa|imediata|na hora)\b|\b(?:credito|financiamento|aprovacao) sai com certeza\b|\bbanco (?:vai aprovar|aprova com certeza)\b`,
  // An action just done or in progress, such as 'acabei de reservar', 'consegui agendar' or 'estou segurando'.
  String.raw`\b(?:acab(?:ei|amos) de|consegui|conseguimos) (?:te |lhe |ja )*(?:reserv|agend|marc|segur|garant|separ|bloque|guard|confirm|aprov)[aei]r\b|\b(?:estou|estamos|to|tamos|ja|vou|vamos)(?: ja| te)* (?:estou |deixando )?(?:reserv|agend|marc|segur|separ|bloque|guard)ando\b|(?:^|[.!?] )(?:agend|reserv|marc)ando (?:a )?sua\b`,
  String.raw`${NOT_WONDERED}\bconsegui(?:mos)? (?:um|o|1) horario\b|\bconfirm(?:o|amos) (?:a |o )?(?:sua |seu )?(?:visita|reserva|agendamento)\b(?![^.!\n]*(?:\?|\bcorretor))`,
  String.raw`${NOT_WONDERED}\b(?:tem|temos|ha|existe|rola|da|ganha|ganham|vem com|com)(?: (?:um|uma|1|o|bom|otimo|belo|super|algum|sim|para|pra|fazer|dar))* ${DISCOUNT}\b${NOT_ASKED}|(?:^|[.!?] )(?:um |1 )descont(?:o|inho|ao|aco)\b`,
  String.raw`${NOT_WONDERED}\b(?:liber|autoriz|aprov)(?:ou|aram|ei|amos)\b[^.!?\n]{0,20}\b(?:${DISCOUNT}|${DEAL})\b|${NOT_WONDERED}\b(?:consegui|conseguimos|deu|deram)\b[^.!?\n]{0,30}\b(?:${DISCOUNT}|${DEAL}|(?:baixar|reduzir) o (?:preco|valor))\b`,
  String.raw`(?:^|[.!?,] |\b(?:ja|e) )e (?:seu|sua|teu|tua)(?= ?[.!,]|$)${NOT_ASKED}|\bja (?:e|era) (?:seu|sua)(?= ?[.!,]|$)`,
  String.raw`\bninguem (?:mais |vai |va |ira )*(?:peg|lev|compr)ar?\b|\bnao (?:deixo|deixamos|vou deixar) ninguem\b|\b(?:tirei|tiramos|retirei) (?:(?:a |o )?(?:\p{L}+|\d+) )?(?:d[ea] venda|do site|do mercado)\b`,
  String.raw`\b(?:voce|vc) (?:tem|fica com|esta com) (?:a )?prioridade\b|\bprioridade (?:e )?sua\b|\b(?:cobrimos|cubro) (?:a |sua |qualquer )*(?:proposta|oferta)\b|\bdevolvemos o (?:dinheiro|sinal|valor)\b|\bdinheiro de volta\b`,
  // The agent cannot know when a person calls back, or when the keys are handed over.
  String.raw`\b(?:lig|cham|retorn|fal|respond)(?:a|ar|ara|e|er|era)\b[^.!?\n]{0,20}\bem (?:ate |no maximo )?\d+ ?(?:min|h)|${NOT_WONDERED}\b(?:entregamos|entrega|entregar|entregue) (?:sempre )?no prazo\b|\b(?:nao vai|nunca) atrasa|\bsem atraso\b`,
  String.raw`${NOT_WONDERED}\b(?:banco|caixa) (?:sempre |ja )?aprova\b(?! ou\b)|\baprova (?:na hora|facil|rapido|com certeza)\b|\bcom certeza aprova|\bcredito sai (?:facil|rapido|na hora)\b|\btudo certo com (?:o banco|a caixa|o credito|o financiamento)\b${NOT_ASKED}`,
  // Offers of things that the agent cannot do. Offering an hour for a visit is allowed.
  String.raw`\b(?:posso|podemos|poderia|poderiamos|da (?:para|pra)|consigo|conseguimos) (?:ja |te |lhe |deixar |ate |tentar )*(?:reservar|segurar|garantir|separar|bloquear|guardar|reservad[oa]|separad[oa])\b(?! (?:1 |um |o |esse |este |uns |seu )?(?:horario|dia|visita))`,
  String.raw`\bganhe\b(?! tempo\b)|${NOT_WONDERED}\b(?:voce|vc) (?:ganha|ganhara|vai ganhar|leva de graca)\b(?! tempo\b)`,
  String.raw`\b(?:garantia|certeza) de (?:aprovacao|valorizacao|retorno|lucro|renda|desconto)\b|\bpode (?:contar|ficar tranquil[oa]),? (?:que )?(?:a |o )?(?:unidade|apartamento|reserva|preco|desconto)`,
  ...ABROAD,
].map((pattern) => new RegExp(pattern, 'u'))

/** Returns the first promise in a text normalised by plainWords; null if it promises nothing. */
export function promiseIn(folded: string): string | null {
  const words = folded.replace(DENIED, ' ').replace(TOLD, ' ')
  const promised = PROMISES.map((pattern) => pattern.exec(words)).find((found) => found !== null)
  return (promised?.[0] ?? words.match(AGREED)?.[0] ?? null)?.trim() ?? null
}

/** True if the text promises nothing but this visit, at its day and hour. */
export function namesVisit(folded: string, visit: string): boolean {
  if (
    promiseIn(folded.replace(BOOKINGS, ' ').replace(AGREED, ' ')) !== null ||
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
