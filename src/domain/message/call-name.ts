// Finds how to address a person in a message, such as 'Marina', 'Dr. Paulo', 'D. Maria' or 'Construtora Alfa'.

/** Makes a set of words. They are compared in lower case, without dots and accents. */
const words = (text: string) => new Set(text.split(' '))

const TITLES = words(
  'd da de do das dos del di la le dr dra doutor doutora sr sra srta senhor senhora seu dona prof profa ' +
    'professor professora eng enga arq adv pe padre pr pastor pastora bispo frei irma irmao tia tio mestre ' +
    'cap capitao cel coronel maj major ten tenente sgt sargento dep deputado deputada ver vereador vereadora',
)
/** A name that begins with one of these words is a firm's. */
const FIRM_HEADS = words(
  'construtora incorporadora imobiliaria corretora clinica hospital laboratorio escola colegio faculdade loja ' +
    'lojas restaurante padaria mercado supermercado farmacia drogaria oficina studio estudio grupo cia companhia ' +
    'associacao condominio igreja prefeitura instituto fundacao banco transportadora industria salao barbearia ' +
    'academia hotel pousada agencia grafica atelie distribuidora escritorio espaco casa centro auto pizzaria ' +
    'consultorio sindicato cooperativa',
)
/** A name that has one of these words after the first is a firm's too. */
const FIRM_WORDS = words(
  'ltda eireli epp sa imoveis empreendimentos engenharia arquitetura advocacia advogados associados consultoria ' +
    'construcoes incorporacoes negocios investimentos contabilidade transportes comercio servicos representacoes ' +
    'materiais moveis seguros solucoes tecnologia participacoes',
)
/** Words that people write into the name field instead of a name. */
const NO_NAMES = words(
  'lead cliente contato comprador interessado interessada teste test whatsapp facebook instagram messenger olx ' +
    'zap desconhecido desconhecida anonimo anonima sem nao null undefined unknown none nome name user usuario ' +
    'usuaria novo nova apto apartamento imovel visitante indicacao corretor vendas atendimento',
)
const MAX_LETTERS = 40

/** Turns 'Dr.' into 'dr' and 'S/A' into 'sa'. */
const plain = (word: string) =>
  word
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase()

/** Removes what people put around names: '🌸 Marina,' and '(Marina)' become 'Marina'. */
const bare = (word: string) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.!)]+$|[!)]+$/gu, '')

const isInitial = (word: string) => /^\p{L}\.?$/u.test(word)

/** Tells how to address a person; null if no part of `name` is a name. */
export function callName(name: string | null): string | null {
  const parts = (name ?? '')
    .split(/\s+/u)
    .map(bare)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  if (isFirm(parts)) return parts.join(' ')
  const first = parts.findIndex((word) => !TITLES.has(plain(word)) && !isInitial(word))
  const called = parts[first]
  if (called === undefined || !isProbable(called)) return null
  return parts
    .slice(0, first + 1)
    .join(' ')
    .replace(/[.]+$/u, '')
}

function isFirm(parts: readonly string[]): boolean {
  const [head = '', ...rest] = parts
  const isNamed = rest.some((word) => !TITLES.has(plain(word)))
  if (FIRM_HEADS.has(plain(head)) && isNamed) return true
  return rest.some((word, at) => FIRM_WORDS.has(plain(word)) && !TITLES.has(plain(parts[at] ?? '')))
}

function isProbable(word: string): boolean {
  const letters = plain(word)
  return (
    !/[\p{N}@]|\.\p{L}{2,}|\/\//u.test(word) &&
    !NO_NAMES.has(letters) &&
    letters.length <= MAX_LETTERS &&
    // Names of other scripts have no Latin vowels, so they need none.
    (!/^[a-z]+$/.test(letters) || (/[aeiouy]/.test(letters) && !/^(.)\1+$/.test(letters)))
  )
}
