// Knows what column titles mean, as CRMs, phones, portals and offices write them in Portuguese and English.

/** The kinds of columns. Several columns of a list may have the same kind. */
export const COLUMN_KINDS = [
  'name',
  'surname',
  'nameAndPhone',
  'areaCode',
  'phone',
  'email',
  'development',
  'source',
  'campaign',
  'stage',
  'broker',
  'value',
  'tags',
  'arrivedAt',
  'lastContactAt',
  'note',
] as const
export type ColumnKind = (typeof COLUMN_KINDS)[number]

export const COLUMN_LABEL = {
  name: 'Nome',
  surname: 'Sobrenome',
  nameAndPhone: 'Nome e telefone juntos',
  areaCode: 'DDD',
  phone: 'Telefone',
  email: 'E-mail',
  development: 'Empreendimento',
  source: 'Origem',
  campaign: 'Campanha',
  stage: 'Etapa',
  broker: 'Corretor',
  value: 'Valor',
  tags: 'Etiquetas',
  arrivedAt: 'Data de chegada',
  lastContactAt: 'Último contato',
  note: 'Observação',
} as const satisfies Record<ColumnKind, string>

/** Several columns of one kind are read in the order of `rank`, lowest first. */
export type TitleReading = { kind: ColumnKind; rank: number }

const words = (text: string) => new Set(text.split(/\s+/))

/** Words in titles about the office's staff, another person or a company. Such columns never describe the lead. */
const SOMEBODY_ELSE = words(
  `corretor corretora responsavel usuario user owner vendedor vendedora atendente captador captadora gerente manager
   agent agente assigned atribuido sdr closer consultor consultora broker assistente assistant secretaria secretary
   conjuge spouse empresa company organization organizacao organisation imobiliaria indicado indicador referred
   referrer criado created modificado modified fiador advogado`,
)
const OWNER_OF_RECORD =
  /^proprietari[oa] (?:do|da|de) (?:contato|negocio|negociacao|lead|registro)$|^(?:(?:contact|deal|lead|record) )?owner$|^assigned to$/
const OWNER_OF_COMPANY =
  /\bproprietari[oa] (?:do|da|de) (?:contato|negocio|negociacao|lead|empresa|registro)\b/
const BROKER = words(
  'corretor corretora responsavel vendedor vendedora atendente consultor consultora broker agente atribuido',
)
const BROKER_FILLERS = words(
  'nome name usuario user do da de o a pelo por lead contato negocio negociacao cliente atual',
)
const VALUE =
  /^(?:valor|preco|orcamento|ticket|budget|amount|value)(?: (?:do|da|de|unico|total|estimado|medio|max|maximo|imovel|negocio|negociacao|venda|deal|interesse|proposta|lead|r))*$|^deal (?:value|amount)$/
const TAGS =
  /^(?:tags?|etiquetas?|marcadores|marcador|labels)(?: (?:do|da|de|lead|contato|negocio|cliente))*$/
const ARRIVAL =
  /^(?:data (?:e hora )?(?:de|da|do) (?:criacao|cadastro|entrada|chegada|lead|inclusao|contato|conversao|registro)|data (?:criacao|cadastro|entrada)|(?:criado|cadastrado|recebido) em|create(?:d)? (?:at|date|time|on)|date (?:created|added)|data criacao (?:do )?(?:lead|contato|negocio)|data de (?:criacao|cadastro|entrada) (?:do|da) (?:lead|contato|negocio|cliente))$/
const LAST_CONTACT =
  /^(?:data (?:do|da) |hora (?:do|da) )?(?:ultimo contato|ultima (?:interacao|atividade|mensagem|atualizacao do contato))(?: em)?$|^last (?:contact(?:ed)?|activity|interaction|message)(?: (?:date|at|time))?$/
/** Words in titles of columns that only describe the value in another column. */
const DESCRIPTION = words(
  `label tipo type rotulo data date id codigo code hora dia validado valido valid verificado opt optin quantidade
   total operadora ultima ultimo last idade score domain dominio fax pager telex hash formato yomi phonetic prefix
   suffix nickname file cargo titulo title display`,
)
const MOBILE = /cel(?:ular)?(?:es)?\b|mobile|movel\b|cellphone/
const WHATSAPP = /whats|\bwpp\b|\bzap\b/
const LANDLINE = /fixo|residencial|comercial|home\b|work\b|business|landline|trabalho|\bcasa\b|recado|\bcar\b/
const ANOTHER = /outro|other|secundari|secondary|adicional|additional|alternativ|segundo|\b[2-9]\b/
const PHONE = /fone|phone|celular|celulares|\bcel\b|\btel\b|\btels\b|whats|\bwpp\b|\bzap\b|mobile|\bmovel\b/
const NO_PHONE = /interfone|microfone|headphone/
const EMAIL = /\be ?mails?\b|email|correio eletronico|^mail$/
const AREA_CODE = /^(?:ddd\b|codigo de area|area code)/

const NAME_FILLERS = words(
  `completo do da de dos o e seu sua qual your what is full complete person pessoa contact contato customer client
   cliente lead interessado interessada comprador compradora prospect proponente titular inquilino locatario
   proprietario proprietaria principal sobrenome display exibicao 1`,
)
const PERSON = words(
  `cliente clientes interessado interessada comprador compradora prospect proponente pessoa person customer client
   contato contatos contact contacts lead principal associado associated primary proprietario proprietaria titular
   inquilino locatario de do`,
)
const FIRST_NAME = /^(?:first|given|primeiro|pessoa primeiro|person first) ?(?:name|nome)$|^nome proprio$/
const MIDDLE_NAME = /^(?:middle|additional) ?name$|^segundo nome$|^nome do meio$/
const SURNAME =
  /^(?:(?:pessoa|person|contato|contact|lead) )?(?:last|family) ?name$|^surname$|^sobrenome(?: do (?:cliente|lead|contato))?$|^ultimo nome$/

const DEVELOPMENT = words(
  'empreendimento empreendimentos imovel produto lancamento projeto development project condominio',
)
const DEVELOPMENT_FILLERS = words('nome name de do da interesse 1')
const SOURCE = words('origem fonte canal midia source portal plataforma platform veiculo')
const SOURCE_FILLERS = words(
  'do da de lead leads contato original primeira conversao captacao cliente utm first primary',
)
const CAMPAIGN = words('campanha campaign')
const CAMPAIGN_FILLERS = words('nome name da de do utm marketing')
const STAGE = words('etapa estagio fase status situacao stage')
const STAGE_FILLERS = words(
  'da de do no lead leads funil negocio negociacao contato cliente deal atual pipeline vendas venda current atendimento',
)
const NOTE = words(
  `observacao observacoes obs nota notas comentario comentarios mensagem mensagens anotacao anotacoes historico notes
   note comment comments message messages remarks descricao description`,
)
const NOTE_FILLERS = words(
  'do da de e lead cliente contato pessoa person deal negocio geral gerais interna internas 1 2 3 4 5',
)

/** Turns 'TelefoneCelular*' into 'telefone celular'. */
export function plainTitle(title: string): string {
  return title
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

/** Tells what a title means; null if it names no field of a lead. */
export function readTitle(title: string): TitleReading | null {
  const plain = plainTitle(title)
  // Splits joined titles such as 'nomedocliente' into their known parts.
  const said = new Set(plain.replace(/^(nome|telefone|celular|email)(do|da)(\w+)$/, '$1 $2 $3').split(' '))
  if (plain === '' || plain.length > 80) return null
  const has = (some: ReadonlySet<string>) => [...said].some((word) => some.has(word))
  const madeOf = (some: ReadonlySet<string>, fillers: ReadonlySet<string>) =>
    has(some) && [...said].every((word) => some.has(word) || fillers.has(word))
  const ours = historyReading(plain)
  if (ours) return { kind: ours, rank: 0 }
  if (OWNER_OF_RECORD.test(plain) || madeOf(BROKER, BROKER_FILLERS))
    return { kind: 'broker', rank: said.size }
  if (has(SOMEBODY_ELSE) || OWNER_OF_COMPANY.test(plain)) return null
  if (AREA_CODE.test(plain)) return { kind: 'areaCode', rank: 0 }
  const name = nameReading(plain, said)
  if (name) return name
  if (madeOf(STAGE, STAGE_FILLERS)) return { kind: 'stage', rank: said.size }
  if (has(DESCRIPTION)) return null
  if (EMAIL.test(plain)) return { kind: 'email', rank: ANOTHER.test(plain) ? 1 : 0 }
  if (PHONE.test(plain) && !NO_PHONE.test(plain)) return { kind: 'phone', rank: phoneRank(plain) }
  if (plain === 'numero' || plain === 'number') return { kind: 'phone', rank: 2 }
  if (madeOf(DEVELOPMENT, DEVELOPMENT_FILLERS)) return { kind: 'development', rank: 0 }
  if (plain === 'interesse' || plain === 'interest') return { kind: 'development', rank: 1 }
  if (madeOf(SOURCE, SOURCE_FILLERS))
    return { kind: 'source', rank: said.has('origem') ? 0 : said.has('utm') ? 2 : 1 }
  if (madeOf(CAMPAIGN, CAMPAIGN_FILLERS)) return { kind: 'campaign', rank: said.has('utm') ? 1 : 0 }
  if (madeOf(NOTE, NOTE_FILLERS)) return { kind: 'note', rank: 0 }
  return null
}

/** Columns by which another CRM exports a lead's value, tags and dates. */
function historyReading(plain: string): ColumnKind | null {
  if (VALUE.test(plain)) return 'value'
  if (TAGS.test(plain)) return 'tags'
  if (LAST_CONTACT.test(plain)) return 'lastContactAt'
  return ARRIVAL.test(plain) ? 'arrivedAt' : null
}

/** Numbers that are most likely on WhatsApp come first. */
function phoneRank(plain: string): number {
  const another = ANOTHER.test(plain) ? 0.5 : 0
  if (WHATSAPP.test(plain)) return another
  if (MOBILE.test(plain)) return 1 + another
  return (LANDLINE.test(plain) ? 3 : 2) + another
}

/** The rank of a title that is only 'Nome'. In a list of deals such a column names the deal. */
export const BARE_NAME = 2

function nameReading(plain: string, said: ReadonlySet<string>): TitleReading | null {
  if (SURNAME.test(plain)) return { kind: 'surname', rank: 1 }
  if (MIDDLE_NAME.test(plain)) return { kind: 'surname', rank: 0 }
  if (FIRST_NAME.test(plain)) return { kind: 'name', rank: 6 }
  const others = [...said].filter((word) => word !== 'nome' && word !== 'name' && word !== 'fullname')
  if (others.length < said.size) {
    if (others.length === 0) return { kind: 'name', rank: plain === 'fullname' ? 1 : BARE_NAME }
    return others.every((word) => NAME_FILLERS.has(word)) ? { kind: 'name', rank: 1 } : null
  }
  if (!others.every((word) => PERSON.has(word))) return null
  return { kind: 'name', rank: said.has('lead') ? 5 : 3 }
}

/** Titles that only lists of deals have; there, 'Nome' is the deal's name. */
const DEAL =
  /^(?:funil(?: de vendas)?|pipeline|motivo d[ae] perda|negociacao|(?:nome|titulo) d[oa] (?:negocio|negociacao)|deal(?: name| title| stage| owner)?|etapa d[oa] (?:negocio|negociacao|lead)|valor unico|titulo do lead|data de fechamento|close date)$/

export const isListOfDeals = (titles: readonly string[]) =>
  titles.some((title) => DEAL.test(plainTitle(title)))
