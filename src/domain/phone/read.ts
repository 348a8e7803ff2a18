// The only parser of phone numbers that people, lists, forms and mails write. It loads all countries' numbering plans,
// so only the server and lazily loaded parts of the app may import it.
import type { ReadNumber } from './one-number.ts'
import { areaOf, isNumber, partsOf } from './number-run.ts'
import { BRAZILIAN_AREA, phoneKey } from './number-key.ts'
import { isRounded, maskedText, plainText } from './written-text.ts'

export type { NumberKind, ReadNumber } from './one-number.ts'

/**
 * Why a text has no number. `empty`: it has no digits. `area`: the area code is missing. `cut`: a spreadsheet rounded
 * the last digits. `service`: a number such as 0800 or 4004. `number`: the digits form no valid number.
 */
export type NumberFault = 'empty' | 'area' | 'cut' | 'service' | 'number'

export type NumbersRead = {
  /** The numbers, each once: mobiles first, landlines last, otherwise in written order. */
  numbers: readonly ReadNumber[]
  /** What is left of the text: words, incomplete numbers and service numbers. */
  rest: string
  /** Null if the text has a number. */
  fault: NumberFault | null
}

type Options = {
  /** An area code from a field of its own, for numbers without one. */
  areaCode?: string | undefined
}

/** Digits, with separators within a number or between two. */
const RUN = /\+?[\d ().\-/,:]*\d[\d ().\-/,:]*/g
/** Text between a number and a second one that leaves out the same area code. */
const CONNECTED =
  /^[\s.:;,|&/()-]*(?:(?:ou|e|or|and|cel|celular|m[oó]vel|mobile|tel|telefone|fone|phone|fixo|res|residencial|com|comercial|whats|whatsapp|zap|wpp)[\s.:;,|&/()-]*)*$/i
const AREA_ALONE = /^[\s(:.-]*0?(\d\d)[\s):.-]*$/
const FAULT = { half: 'area', service: 'service', nothing: 'number' } as const
/** Marks where a number was removed. A space would not do, because a link has none. */
const TAKEN = '\uE000'
const RANK = { mobile: 0, either: 1, landline: 2 } as const

/** Parses all numbers in a text. Anything beyond 500 characters is ignored. */
export function readNumbers(text: string, { areaCode = '' }: Options = {}): NumbersRead {
  const plain = plainText(text)
  const masked = maskedText(plain)
  const told = AREA_ALONE.exec(areaCode)?.[1] ?? null
  let area = told !== null && BRAZILIAN_AREA.test(told) ? told : null
  const toldArea = area
  const found: ReadNumber[] = []
  const faults = new Set<NumberFault>(isRounded(plain) ? ['cut'] : [])
  let rest = ''
  let end = 0
  for (const run of masked.matchAll(RUN)) {
    const between = plain.slice(end, run.index)
    if (!CONNECTED.test(masked.slice(end, run.index))) area = toldArea
    rest += between
    end = run.index + run[0].length
    const alone = AREA_ALONE.exec(run[0])?.[1]
    if (
      alone !== undefined &&
      BRAZILIAN_AREA.test(alone) &&
      (run[0].includes('(') || /ddd\W*$/i.test(between))
    ) {
      area = alone
      faults.add('number')
      rest += ' '
      continue
    }
    for (const { read, text: written } of partsOf(run[0], area, found.length > 0)) {
      if (isNumber(read)) found.push(read)
      else faults.add(FAULT[read ?? 'nothing'])
      area = areaOf(read) ?? area
      rest += isNumber(read) ? TAKEN : ` ${written} `
    }
  }
  rest += plain.slice(end)
  const numbers = inOrder(found)
  const fault = FAULTS.find((one) => faults.has(one)) ?? 'empty'
  return { numbers, rest: withoutLabels(rest), fault: numbers.length > 0 ? null : fault }
}

/** If a text has several faults, the first one of this order is told, because it helps the person most. */
const FAULTS = ['cut', 'area', 'service', 'number'] as const

function inOrder(numbers: readonly ReadNumber[]): ReadNumber[] {
  const byKey = new Map<string | null, ReadNumber>()
  for (const number of numbers) {
    const key = phoneKey(number.e164)
    if (!byKey.has(key)) byKey.set(key, number)
  }
  return [...byKey.values()].toSorted((a, b) => RANK[a.kind] - RANK[b.kind])
}

const LABEL =
  /\S*(?:wa\.me|[?&]phone=)\S*|:?\d*@(?:s\.whatsapp\.net|c\.us)|(?<![\p{L}\d.@])(?:ddd|tel(?:efones?)?|fones?|cel(?:ular(?:es)?)?|m[oó]vel|mobile|phone|whats(?:app)?|zap|wpp|fixo|res(?:idencial)?|com(?:ercial)?)(?![\p{L}\d])[.:]*|\uE000/giu
const EDGE =
  /^(?:[\s\-/,;:|&=~'")]|(?:e|ou|or|and)(?![\p{L}\d]))+|(?:[\s\-/,;:|&+=~'"(]|(?<![\p{L}\d])(?:e|ou|or|and))+$/giu

/** Tells what is left of a text without its numbers. Labels and separators alone become empty. */
function withoutLabels(rest: string): string {
  const words = rest
    .replace(LABEL, ' ')
    .replaceAll(/\(\s*\)/g, ' ')
    .replaceAll(/\s+/g, ' ')
  return /[\p{L}\d]/u.test(words) ? words.replace(EDGE, '') : ''
}

/** How many texts are read at most; further ones are ignored. */
const MAX_TEXTS = 20

/** Returns all numbers in several fields of one person, read like one text. */
export function numbersIn(values: readonly unknown[], areaCode?: unknown): NumbersRead {
  const area = typeof areaCode === 'string' || typeof areaCode === 'number' ? String(areaCode) : undefined
  const texts = [...new Set(textsOf(values))].slice(0, MAX_TEXTS)
  const read = texts.map((text) => readNumbers(text, { areaCode: area }))
  const numbers = inOrder(read.flatMap((one) => one.numbers))
  const faults = read.map(({ fault }) => fault)
  return {
    numbers,
    rest: [...new Set(read.flatMap(({ rest }) => rest || []))].join('; '),
    fault: numbers.length > 0 ? null : (FAULTS.find((one) => faults.includes(one)) ?? 'empty'),
  }
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap(textsOf)
    : typeof value === 'string' || typeof value === 'number'
      ? [String(value)]
      : []
