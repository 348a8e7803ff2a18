// The meaning of a field by its name: a form's 'your-tel', Meta's 'qual_é_o_seu_whatsapp?', an e-mail's
// 'Celular/WhatsApp'.

/**
 * `staff`: of the agency or another company, never of the lead. `contact`: the value decides whether it is a
 * phone or an e-mail.
 */
export type Meaning =
  | 'name'
  | 'firstName'
  | 'lastName'
  | 'phone'
  | 'email'
  | 'contact'
  | 'areaCode'
  | 'message'
  | 'campaign'
  | 'source'
  | 'formName'
  | 'development'
  | 'property'
  | 'listing'
  | 'staff'

const MAX_CHARS = 120

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Words of a question, and prefixes of form builders. */
const FILLER = set(
  'o a os as um uma de do da dos das e em no na nos nas ao para por com que qual quais seu sua seus suas meu minha ' +
    'voce voces te se eh is your my our the of what s please favor informe informar digite preencha insira escreva coloque ' +
    'deixe field fields input fld txt cf label wpforms melhor best principal main primary obrigatorio required aqui here ddd ' +
    'podemos posso devemos gostaria ser formatted e164 atual valido personal pessoal',
)
const STAFF = set(
  'corretor corretora corretores vendedor vendedora atendente consultor consultora responsavel owner owners assigned ' +
    'assignee seller salesperson salesrep broker realtor gerente manager captador anunciante advertiser imobiliaria agencia ' +
    'agency usuario user users sender remetente recipient recipients destinatario agent agente operador createdby ' +
    'empresa company organization organizacao account',
)
const PHONE = set(
  'telefone telefones tel fone fones phone phones phonenumber celular celulares cel mobile mobilephone movel whatsapp whats ' +
    'wpp zapzap telephone telefono telefonos cellphone contactphone homephone workphone telefonefixo telefonecelular',
)
/** Together with a phone word they mean something else: when to call, whether it was confirmed. */
const NO_CONTACT = set(
  'fax preferencia prefere preferido horario hora periodo confirmado verificado verified status opt optin consentimento consent ' +
    'autoriza autorizo aceito pais country code ddi data date at time created updated tipo type id contatos newsletter bounced via ' +
    'anuncio anuncios',
)
const EMAIL = set('email emails mail emailaddress correio emaillead')
const NUMBER = set('numero number num nro')
const NAME = set('nome name nombre fullname nomecompleto nombres')
/** Words after 'nome' that mean the lead. */
const OF_LEAD = set(
  'completo full inteiro cliente client customer contato contact lead interessado interessada pessoa person comprador ' +
    'compradora buyer proponente visitante visitor display teste',
)
const PERSON = set('cliente interessado interessada proponente comprador compradora visitante customer lead')
const FIRST = set('firstname fname prenome')
const LAST = set('sobrenome lastname lname surname apellido apellidos')
const MESSAGE = set(
  'mensagem mensagens message messages mensaje msg comentario comentarios comment comments observacao observacoes obs duvida ' +
    'duvidas recado conte consulta solicitacao textarea ajudar ajuda pergunta',
)
const NO_MESSAGE = set('id type tipo status date data consent')
const PROPERTY = set('imovel anuncio listing property produto')
const CODE = set('codigo cod code id ref referencia reference numero')
const FORM = set('form formulario definition')
const TITLE = set('name nome title titulo')

/** 'q3_telefoneCom' becomes ['telefone']: lower case, without accents, filler words and numbers. */
export function wordsOf(label: string): string[] {
  return plainWords(label).filter((word) => !FILLER.has(word) && !/^(?:q?\d+|[\da-f]*\d[\da-f]*)$/.test(word))
}

function plainWords(label: string): string[] {
  return (
    label
      .slice(0, MAX_CHARS)
      // Wix appends an id to each name.
      .replace(/^field:(.+)_[^_]+$/, '$1')
      // Zapier prefixes the name of the enclosing object.
      .replace(/^(?:data|body|payload|contact|lead)__/, '')
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/\be[\s_.-]?mail/g, 'email')
      .replace(/\bwhats\s?app/g, 'whatsapp')
      .split(/[^a-z\d]+/)
      .filter((word) => word !== '')
  )
}

/** The meaning of a field by its name. Null: the name has no known meaning. */
export function meaningOf(label: string): Meaning | null {
  const all = plainWords(label)
  if (all.join(' ') === 'ddd') return 'areaCode'
  const words = wordsOf(label)
  const has = (some: ReadonlySet<string>) => words.some((word) => some.has(word))
  if (words.length === 0) return null
  if (has(STAFF)) return 'staff'
  if (has(EMAIL)) return has(NO_CONTACT) ? null : 'email'
  if (isPhone(words)) return has(NO_CONTACT) ? null : 'phone'
  return (
    (isAreaCode(words) ? 'areaCode' : null) ??
    nameMeaning(words, all) ??
    (isMessage(words) ? 'message' : null) ??
    originMeaning(words) ??
    listingMeaning(words)
  )
}

/** Tells whether a name has no meaning, such as 'field_3'. Its value may still be recognised. */
export const isNameless = (label: string): boolean =>
  wordsOf(label).every((word) =>
    /^(?:text|texto|campo|item|question|answer|resposta|col|column|q)$/.test(word),
  )

function isPhone(words: readonly string[]): boolean {
  if (words.some((word) => PHONE.has(word))) return true
  // 'Seu zap' means the phone; names of the portal ZAP have more words.
  if (words.length === 1 && words[0] === 'zap') return true
  const isNumber = words.some((word) => NUMBER.has(word))
  return isNumber && words.every((word) => NUMBER.has(word) || word === 'contato' || word === 'contact')
}

const isMessage = (words: readonly string[]) =>
  /^(?:long answer|texto)$/.test(words.join(' ')) ||
  (words.some((word) => MESSAGE.has(word)) && !words.some((word) => NO_MESSAGE.has(word)))

const isAreaCode = (words: readonly string[]) =>
  words.length === 2 && words.includes('area') && words.some((word) => word === 'code' || word === 'codigo')

function nameMeaning(words: readonly string[], all: readonly string[]): Meaning | null {
  const [only] = words.length === 1 ? words : []
  if (words.some((word) => LAST.has(word))) return words.some((word) => NAME.has(word)) ? 'name' : 'lastName'
  if (words.some((word) => FIRST.has(word))) return 'firstName'
  const rest = words.filter((word) => !NAME.has(word))
  if (rest.length < words.length) {
    if (rest.length === 1 && /^(?:first|primeiro|given)$/.test(rest[0] ?? '')) return 'firstName'
    if (rest.length === 1 && /^(?:last|ultimo|family|segundo)$/.test(rest[0] ?? '')) return 'lastName'
    return rest.every((word) => OF_LEAD.has(word)) ? 'name' : originMeaning(words)
  }
  if (only === 'contato' || only === 'contact') return 'contact'
  if (only !== undefined && PERSON.has(only)) return 'name'
  return all.includes('como') && words.some((word) => /^cham(?:a|ar|amos)$/.test(word)) ? 'name' : null
}

function originMeaning(words: readonly string[]): Meaning | null {
  const text = words.join(' ')
  if (words.some((word) => word === 'campanha' || word === 'campaign'))
    return words.includes('id') ? null : 'campaign'
  if (/^(?:(?:utm|lead|deal) )?(?:origem|source|fonte)(?: (?:lead|name|nome))?$/.test(text)) return 'source'
  const isOfForm = words.some((word) => FORM.has(word) || word === 'formname' || word === 'formtitle')
  return isOfForm &&
    words.every((word) => FORM.has(word) || TITLE.has(word) || word.startsWith('form')) &&
    words.length > 1
    ? 'formName'
    : /^form(?:name|title)$/.test(text)
      ? 'formName'
      : null
}

function listingMeaning(words: readonly string[]): Meaning | null {
  if (words.some((word) => /^(?:empreendimento|lancamento|development)$/.test(word)))
    return words.some((word) => CODE.has(word)) ? null : 'development'
  const known = words.every((word) => PROPERTY.has(word) || CODE.has(word) || word === 'interesse')
  if (!known) return null
  const ofCode = words.filter((word) => CODE.has(word))
  const ofProperty = words.filter((word) => PROPERTY.has(word))
  if (ofCode.length > 0 && ofProperty.length > 0) return 'listing'
  if (ofProperty.length > 0)
    return words.some((word) => word === 'anuncio' || word === 'listing') ? 'listing' : 'property'
  return words.length === 1 && /^(?:codigo|cod|referencia|ref|reference)$/.test(words[0] ?? '')
    ? 'listing'
    : null
}
