// Normalises a model's text before it is checked: numbers become digits, and disguised letters become plain.
import { foldText } from '../search.ts'

/** Letters of other alphabets that look like Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ѕ: 's',
  ԁ: 'd',
  т: 't',
  м: 'm',
  в: 'b',
  α: 'a',
  ε: 'e',
  ο: 'o',
  ρ: 'p',
  υ: 'u',
  ι: 'i',
  ν: 'v',
  κ: 'k',
  τ: 't',
}
const NUMBERS: Readonly<Record<string, number>> = {
  um: 1,
  uma: 1,
  dois: 2,
  duas: 2,
  tres: 3,
  quatro: 4,
  cinco: 5,
  seis: 6,
  sete: 7,
  oito: 8,
  nove: 9,
  dez: 10,
  onze: 11,
  doze: 12,
  treze: 13,
  quatorze: 14,
  catorze: 14,
  quinze: 15,
  dezesseis: 16,
  dezessete: 17,
  dezoito: 18,
  dezenove: 19,
  vinte: 20,
  trinta: 30,
  quarenta: 40,
  cinquenta: 50,
  sessenta: 60,
  setenta: 70,
  oitenta: 80,
  noventa: 90,
  cem: 100,
  cento: 100,
  ...hundreds({
    duzent: 200,
    trezent: 300,
    quatrocent: 400,
    quinhent: 500,
    seiscent: 600,
    setecent: 700,
    oitocent: 800,
    novecent: 900,
  }),
}
/** Returns the hundreds in both genders, such as 'duzentos' and 'duzentas'. */
function hundreds(stems: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(stems).flatMap(([stem, number]) => [
      [`${stem}os`, number],
      [`${stem}as`, number],
    ]),
  )
}
const NUMBER = Object.keys(NUMBERS).join('|')
/** Slang that is used for amounts only, such as 'seiscentao' and 'quinhentinhos'. */
const SLANG_HUNDREDS =
  /\b((?:du|tre)zent|quatrocent|quinhent|seiscent|setecent|oitocent|novecent)(?:ao|oes|inh[oa]s?)\b/g
const NUMBER_WORDS = new RegExp(`\\b(?:${NUMBER})(?:[ -](?:e[ -])?(?:${NUMBER}))*\\b`, 'g')
/** A phone number in words, digit by digit, such as 'onze nove cinco cinco …'. */
const TOLD_NUMBER = new RegExp(`(?:\\b(?:zero|meia|${NUMBER})\\b[ ,.-]*){8,}`)
/** A word with separated letters, such as 'r e s e r v a d o' or 'q.u.i.n.h.e.n.t.o.s'. */
const SPELT = /(?<!\p{L})\p{L}(?:[ .\-_]\p{L}){2,}(?!\p{L})/gu
/** Invisible characters, and WhatsApp's marks for bold and italic. */
const UNSEEN = /[\p{Cf}*_~`]/gu

const MONTH =
  'janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|semestre|trimestre'
/** A year, such as 'em dois mil e vinte e oito', after its words became digits. */
const YEAR = new RegExp(
  String.raw`(?<=\b(?:em|ano|ano de|desde|ate|(?:${MONTH}) de) )2 mil e ([1-4]\d)\b(?! ?(?:mil|reais|contos?|paus?))`,
  'g',
)
/** Matches 'mil e 200' and '2 mil e 500', unless a unit follows. */
const THOUSANDS =
  /(?:\b(\d{1,3}) )?\bmil e ([1-9]\d{2})\b(?! ?(?:mil|milh|m2?|metros|quartos|suites|vagas|unidades)\b)/g
/** Matches '1 milhao e 200 mil' and '1 milhao e 200'. */
const MILLIONS =
  /\b(\d+) (?:milh(?:ao|oes)|mi)(?:,? (?:e )?(?=\d{1,3} mil\b)| e (?=[1-9]\d{2}\b(?! ?(?:mil|m2?|metros|unidades|opcoes)\b)))(\d{1,3})(?: mil\b)?/g

/**
 * Normalises a text: lower case, no accents, no lookalikes, numbers as digits. 'quinhentos e dez mil' becomes '510
 * mil'.
 */
export function plainWords(text: string): string {
  const ours = foldText(text.normalize('NFKC').replace(UNSEEN, ''))
    .replace(/\p{Nd}/gu, figureOf)
    .replace(/[\u0370-\u052f]/gu, (letter) => LOOKALIKES[letter] ?? letter)
    .replace(SPELT, (spelt) => spelt.replace(/[ .\-_]/g, ''))
  return (
    ours
      .replace(/(?<=\d)o{1,9}(?= ?(?:mil|k|mi)\b|[\d.,o])/g, (letters) => '0'.repeat(letters.length))
      .replace(SLANG_HUNDREDS, (_, stem: string) => `${NUMBERS[`${stem}os`] ?? 0} reais`)
      .replace(NUMBER_WORDS, (words) => String(sumOf(words)))
      .replace(/\b([2-9]) centos\b/g, '$100')
      .replace(/ e (?:(?:mais )?(?:pouc[oa]s?|tant[oa]s?)|alguma coisa)\b(?= ?mil| ?milh)/g, '')
      // 'quatrocentos e poucos' is an amount, unless a unit follows.
      .replace(/(?<=\b[1-9]00) e (?:pouc[oa]s?|tant[oa]s?|quebrad[oa]s?)\b(?= ?(?:[.,!;]|$))/g, ' reais')
      .replace(YEAR, (_, year: string) => `20${year}`)
      .replace(THOUSANDS, (_, thousands: string | undefined, rest: string) =>
        String(Number(thousands ?? 1) * 1_000 + Number(rest)),
      )
      .replace(/(?<=\d)-(?=mil)/g, ' ')
      // For example '580,000.00'.
      .replace(/(?<![\d.,])(\d{1,3}(?:,\d{3})+)\.\d{2}(?!\d)/g, (_, whole: string) =>
        whole.replaceAll(',', ''),
      )
      // For example '500 000'. A house number beside another number is no amount.
      .replace(/(?<![\d.,])\d{1,3}(?:[ '’]\d{3})*[ '’]\d00(?!\d)/g, (digits) => digits.replace(/[ '’]/g, ''))
      .replace(/(?<!\d ?)\b(?:milhao|mi) e meio\b/g, '1,5 milhao')
      .replace(/\bmeio (?=milhao|mi\b)/g, '0,5 ')
      .replace(
        /\b(\d+) (?:milh(?:ao|oes)|mi) e meio\b|\b(\d+) e meio (?:milh(?:ao|oes)|mi)\b/g,
        '$1$2,5 milhao',
      )
      // For example 'sai por quatro e meio'.
      .replace(/\b(\d{1,2}) e meio\b/g, '$1,5')
      .replace(
        MILLIONS,
        (_, millions: string, thousands: string) => `${millions},${thousands.padStart(3, '0')} milhao`,
      )
      .replace(/(?<![\d.,] ?)\bmil (?=reais|r\$)/g, '1 mil ')
  )
}

/** Returns the digit, from any script: its distance from that script's zero. */
function figureOf(figure: string): string {
  const code = figure.codePointAt(0) ?? 0
  let back = 0
  while (back < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code - back - 1))) back += 1
  return code < 128 ? figure : String(back)
}

export const tellsNumber = (text: string) => TOLD_NUMBER.test(foldText(text))

const sumOf = (words: string) => words.split(/[ -]/).reduce((sum, word) => sum + (NUMBERS[word] ?? 0), 0)

/** Units that are counted in thousands; a number before one is no money. */
const MEASURED = String.raw`(?:m2?|metros|km|quilometros|hectares|litros|arvores|habitantes|moradores|familias|pessoas|alunos|clientes|visitantes|passageiros|unidades (?:ja )?(?:entregues|construidas))\b`
const UNIT = String.raw`mil(?:z(?:inhos?|ao|oes)|ao)?\b(?! desculpas| vezes| obrigad)|milhares\b|milh(?:ao|oes)(?:zinho)?\b|mi\b|kk?\b`
const COIN = String.raw`reais\b|real\b|dolares\b|euros\b|contos?\b|pilas?\b|paus?\b|mangos?\b|pratas?\b|bar(?:ao|oes)\b`
/** Units of other kinds; a number before one is no money. */
const COUNTED = String.raw`[\d%/]|[.,]\d| ?(?:m2?|m²|metros|km|h|horas?|min|minutos?|dias?|meses|mes|anos?|vezes|x|por 100|quartos?|suites?|vagas?|casas?|unidades|apartamentos|aptos?|lotes|torres|andar(?:es)?|pavimentos|predios|pessoas|familias|moradores|itens|opcoes|parcelas|prestacoes|estrelas|pontos|quadras|passos|estacoes|lojas|alunos)\b`
/** Money without its currency, such as 'sai por 580' or 'condominio de 650'. */
const PRICED = String.raw`(?:\b(?:(?:cust(?:a|am|ar|aria)|val(?:e|em|er|eria)|ped(?:em|indo)|peco|sa(?:i|em|ir|iria|indo)|faco|fecho|leva|vendo|desde)(?: (?:a|por|em|de))?|fic(?:a|am|ou) (?:em|por)|ficar(?:ia)?(?: (?:em|por))?|comec(?:a|am|ando) em|a partir de|(?:faixa|casa) d[eoa]s?|(?:valor(?:es)?|precos?|investimento|tabela|condominio|iptu|entrada|sinal|ato|ticket|custo|taxa|parcelas?|prestac(?:ao|oes)|mensais|mensalidades?|intermediarias?|bal(?:ao|oes)|aluguel)(?: (?:mensal|mensais|total|medio|inicial|minim[oa]|e|sao|seria|sera|fica|esta|custa|sai|em|por|de|a partir de))*:?)(?: (?:uns|umas|cerca de|quase|so|apenas|aproximadamente|em torno de|menos de|mais de))* |\bpor (?!100\b)(?=\d{3}))(?!(?:19|20)\d\d(?![\d.,]\d))(\d{2,}[\d.,]*|\d[.,]\d{1,2})(?!${COUNTED}| ?(?:${UNIT}|${COIN}))`
/** A number at the end of a clause, unless it is a year. */
const LAST = String.raw`(?!(?:19|20)\d\d\b)([1-9]\d{2,3})(?= ?(?:[.!;:)]|,(?!\d)|$))(?![.]\d)`
const ROUND = String.raw`([1-9]\d{1,2}0)(?= ?(?:[.!;:)]|,(?!\d)|$))(?![.]\d)`
const ABOUT = '(?: (?:em|de|por|a|torno|volta|cerca|quase|uns|umas|na|faixa|casa|d[eo]s?))*'
const BEGINS = String.raw`(?:^|[.!?\n] ?)`
/** Money without currency or 'mil', such as 'o valor dele e 450', 'gira em torno de 450' or '450 a vista'. */
const BARE = new RegExp(
  [
    String.raw`\b(?:valor(?:es)?|precos?|investimento|condominio|iptu|aluguel|renda)\b[^.!?;:\n]{0,30}?\b(?:e|sao|fica|ficam|esta|estao|ta|gira|giram|seria)${ABOUT} (?!(?:19|20)\d\d\b)(\d{2,}[\d.,]*)(?!${COUNTED})`,
    String.raw`\b(?:(?:em torno|por volta|cerca|parte|partindo|na faixa) d[eo]s?|inicia(?:m|ndo)? em|entre \d{3} e) ${LAST}`,
    String.raw`(?<!\b(?:unidades?|apartamentos?|aptos?|finais|numeros?|lotes?)(?: \p{L}+){0,2} )\bde \d{3} a ${LAST}`,
    String.raw`\b(?:abaixo de|acima de|menos de|ate) ${ROUND}`,
    String.raw`\b(?:quartos?|dormitorios?|suites?|cobertura|esse|essa|ele|ela|os? de [1-5])(?: (?:menor|maior|hoje|ja|agora|aqui))* (?:e|sao|esta|estao|ta)(?: (?:em|por|a))? ${LAST}`,
    String.raw`\b(?:aceit(?:a|o|amos|am)|(?:avaliad|tabelad)[oa] em|(?:anunciad|vendid)[oa] (?:a|por)|(?:fech|cheg|deix)(?:a|o|amos) (?:em|a|por)|(?:abaixa|baixa|baixou|cai|caiu) (?:para|pra)|quer(?:o|emos)) ${LAST}`,
    String.raw`${BEGINS}(?:(?:e|esta|ta)(?: (?:em|por))? )?${ROUND}`,
    String.raw`(?<![\d.,]|\b(?:numero|por) )(\d{2,4}) (?:(?:a vista|no pix)\b(?! (?:d[aeo]s?|para|pra)\b)|de (?:entrada|sinal|ato)\b|(?:e|sera) o (?:preco|valor)\b|negociave)`,
    String.raw`(?<![\d.,])(\d{3,5}(?:,\d\d)?) ?(?:\/|\b(?:o|por|cada) ) ?(?:m2|metro)\b`,
  ].join('|'),
  'gu',
)
/** An amount of money, such as 'r$ 598 mil', '640.000', '1,2 milhao', '650 reais' or '500000'. Areas do not match. */
const AMOUNT = new RegExp(
  [
    String.raw`(?:\b(?:r ?s?\$|rs|brl|reais|us\$|usd|eur)|[$€]) ?(\d[\d.,]*) ?(${UNIT})?`,
    String.raw`(\d[\d.,]*) ?(?:(${UNIT})(?! (?:de )?${MEASURED})|(${COIN}))`,
    String.raw`(?<![\d.,])(\d{1,3}(?:\.\d{3})+(?:,\d{2})?)(?!\d|[.,]\d| ?(?:de )?${MEASURED})`,
    String.raw`(?<![\d.,/-])(\d{5,7})(?:,\d{2})?(?![\d/-]| ?(?:de )?${MEASURED})`,
    PRICED,
  ].join('|'),
  'g',
)
/** Two amounts that share a unit, such as 'entre 300 e 400 mil'. */
const RANGE = new RegExp(String.raw`(\d{1,3}(?:,\d+)?) ?(?:a|e|ou|ate|[-–/]) ?(?=\d[\d.,]* ?(${UNIT}))`, 'g')

/** A house number, such as 'rua das acacias, 1.450'. */
const DOOR = new RegExp(
  String.raw`(\b(?:rua|avenida|av|alameda|travessa|estrada|rodovia|praca|largo)\b[^\d\n!?]{1,60}), (?:numero |n[.o] ?)?\d{1,2}\.\d{3}(?![\d.,]\d| ?(?:${UNIT}|${COIN}))`,
  'g',
)

/** Returns all amounts of money in a text, in whole reais. */
export function amountsIn(text: string): number[] {
  // 'M' after a number means a million; a lower-case 'm' is a metre.
  const words = plainWords(text.replace(/(?<=\d)MM?(?![\p{L}\d²])/gu, ' mi'))
    .replace(RANGE, '$1 $2 e ')
    .replace(DOOR, '$1')
  const bare = [...words.replace(AMOUNT, ' ').matchAll(BARE)].map(([, ...numbers]) =>
    Math.round(Number(plain(numbers.find((number) => number !== undefined) ?? ''))),
  )
  const amounts = [...words.matchAll(AMOUNT)].flatMap(([, a, aUnit, b, bUnit, , c, d, e]) => {
    const amount = Number(plain(a ?? b ?? c ?? d ?? e ?? ''))
    if (!Number.isFinite(amount)) return []
    const unit = aUnit ?? bUnit ?? ''
    const times =
      unit === 'k' || unit === 'milhares' || /^mil(?!h)/.test(unit)
        ? 1_000
        : unit.startsWith('mi') || unit === 'kk'
          ? 1_000_000
          : 1
    return [Math.round(amount * times)]
  })
  return [...amounts, ...bare]
}

/** Converts '1.250.000,50' and '1,2' to JavaScript's notation. */
function plain(digits: string): string {
  const trimmed = digits.replace(/[.,]+$/, '')
  return trimmed.replace(/\.(?=\d{3}(?:\D|$))/g, '').replace(',', '.')
}
