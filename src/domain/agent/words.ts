// The words of a model as a judge reads them: amounts in figures however they are written, and no letter that hides another.
import { foldText } from '../search.ts'

/** Letters of other alphabets that look like ours. */
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
  duzentos: 200,
  trezentos: 300,
  quatrocentos: 400,
  quinhentos: 500,
  seiscentos: 600,
  setecentos: 700,
  oitocentos: 800,
  novecentos: 900,
}
const NUMBER = Object.keys(NUMBERS).join('|')
const NUMBER_WORDS = new RegExp(`\\b(?:${NUMBER})(?: (?:e )?(?:${NUMBER}))*\\b`, 'g')
/** 'r e s e r v a d o', 'q.u.i.n.h.e.n.t.o.s'. */
const SPELT = /(?<!\p{L})\p{L}(?:[ .\-_]\p{L}){3,}(?!\p{L})/gu
/** Unseen signs, and those that WhatsApp sets bold and slanted words by. */
const UNSEEN = /[\p{Cf}*_~`]/gu

/** Small, without accents, in our letters and figures, numbers in figures: 'quinhentos e dez mil' is '510 mil'. */
export function plainWords(text: string): string {
  const ours = foldText(text.normalize('NFKC').replace(UNSEEN, ''))
    .replace(/\p{Nd}/gu, figureOf)
    .replace(/[\u0370-\u052f]/gu, (letter) => LOOKALIKES[letter] ?? letter)
    .replace(SPELT, (spelt) => spelt.replace(/[ .\-_]/g, ''))
  return (
    ours
      .replace(/(?<=\d)o{1,9}(?= ?(?:mil|k|mi)\b|[\d.,o])/g, (letters) => '0'.repeat(letters.length))
      .replace(NUMBER_WORDS, (words) => String(sumOf(words)))
      // '500 000'; a door and a number are none.
      .replace(/(?<![\d.,])\d{1,3}(?:[ '’]\d{3})*[ '’]\d00(?!\d)/g, (digits) => digits.replace(/[ '’]/g, ''))
      .replace(/\bmeio (?=milhao)/g, '0,5 ')
      .replace(/\b(\d+) milh(?:ao|oes) e meio\b/g, '$1,5 milhao')
      .replace(
        /\b(\d+) milh(?:ao|oes),? (?:e )?(\d{1,3}) mil\b/g,
        (_, millions: string, thousands: string) => `${millions},${thousands.padStart(3, '0')} milhao`,
      )
      .replace(/(?<![\d.,] ?)\bmil (?=reais|r\$)/g, '1 mil ')
  )
}

/** Of a figure of any script: its distance from the zero of its ten. */
function figureOf(figure: string): string {
  const code = figure.codePointAt(0) ?? 0
  let back = 0
  while (back < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code - back - 1))) back += 1
  return code < 128 ? figure : String(back)
}

const sumOf = (words: string) => words.split(' ').reduce((sum, word) => sum + (NUMBERS[word] ?? 0), 0)

const UNIT = String.raw`mil\b(?! desculpas| vezes| obrigad)|milh(?:ao|oes)\b|mi\b|kk?\b`
const COIN = String.raw`reais\b|real\b|dolares\b|euros\b|contos?\b|pilas?\b|paus?\b|mangos\b`
/** 'r$ 598 mil', '640.000', '598 mil', '1,2 milhao', '650 reais', '500000'; an area is none. */
const AMOUNT = new RegExp(
  [
    String.raw`(?:\b(?:r ?s?\$|rs|brl|reais|us\$|usd|eur)|[$€]) ?(\d[\d.,]*) ?(${UNIT})?`,
    String.raw`(\d[\d.,]*) ?(${UNIT}|${COIN})`,
    String.raw`(?<![\d.,])(\d{1,3}(?:\.\d{3})+(?:,\d{2})?)(?! ?(?:m2|metros))`,
    String.raw`(?<![\d.,/-])(\d{5,7})(?:,\d{2})?(?![\d/-]| ?(?:m2|metros))`,
  ].join('|'),
  'g',
)
/** 'entre 300 e 400 mil': of both. */
const RANGE = new RegExp(String.raw`(\d{1,3}(?:,\d+)?) ?(?:a|e|ou|ate|[-–/]) ?(?=\d[\d.,]* ?(${UNIT}))`, 'g')

/** In reais, as whole numbers. */
export function amountsIn(text: string): number[] {
  const words = plainWords(text).replace(RANGE, '$1 $2 e ')
  return [...words.matchAll(AMOUNT)].flatMap(([, a, aUnit, b, bUnit, c, d]) => {
    const amount = Number(plain(a ?? b ?? c ?? d ?? ''))
    if (!Number.isFinite(amount)) return []
    const unit = aUnit ?? bUnit ?? ''
    const times =
      unit === 'mil' || unit === 'k' ? 1_000 : unit.startsWith('mi') || unit === 'kk' ? 1_000_000 : 1
    return [Math.round(amount * times)]
  })
}

/** '1.250.000,50' and '1,2' as JavaScript writes numbers. */
function plain(digits: string): string {
  const trimmed = digits.replace(/[.,]+$/, '')
  return trimmed.replace(/\.(?=\d{3}(?:\D|$))/g, '').replace(',', '.')
}
