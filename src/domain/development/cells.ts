// Writes and reads the cells of a development's tables: areas, prices, counts.
import { readCents } from '#domain/lead/list/values.ts'

const NUMBER = new Intl.NumberFormat('pt-BR')
const WITH_CENTS = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2 })
/** The database's limit. */
const MAX_AREA = 9_999_999

/** For example 'R$ 412.000'. Cents are shown only if they are not zero. */
export const centsText = (cents: number) =>
  `R$ ${(cents % 100 === 0 ? NUMBER : WITH_CENTS).format(cents / 100)}`
export const areaText = (area: number) => NUMBER.format(area)
export const squareMetres = (area: number) => `${areaText(area)} m²`
export const orEmpty = <T>(value: T | null, toText: (value: T) => string = String) =>
  value === null ? '' : toText(value)

/** Reads '62', '62,5 m²' or '1.200'; null for anything else. */
export function readArea(text: string): number | null {
  const trimmed = text.trim().replace(/\s*m(?:²|2)?$/i, '')
  if (!/^(?:\d{1,3}(?:\.\d{3})+|\d{1,7})(?:,\d{1,2})?$|^\d{1,7}\.\d{1,2}$/.test(trimmed)) return null
  const isEnglish = /^\d+\.\d{1,2}$/.test(trimmed)
  const area = Number(isEnglish ? trimmed : trimmed.replaceAll('.', '').replace(',', '.'))
  return area > 0 && area <= MAX_AREA ? area : null
}

export const readCount = (text: string): number | null =>
  /^\d{1,5}$/.test(text.trim()) ? Number(text) : null

/** `read` converts what a person typed into a cell, or returns null. Then the screen shows `fault`. */
export type Reading<T> = { read: (text: string) => T | null; fault: string }

export const AREA: Reading<number> = { read: readArea, fault: 'Uma área, como 62 ou 62,5.' }
/** No portal takes a price of zero. */
export const PRICE: Reading<number> = {
  read: (text) => readCents(text) || null,
  fault: 'Um preço, como 412.000 ou 412 mil.',
}

/** Error texts by field; the field of a row is named 'key.cell'. */
export type Faults = ReadonlyMap<string, string>

/** Returns a function that reads a field, and notes a text that cannot be read; an empty text is null. */
export const reader =
  (faults: Map<string, string>) =>
  <T>(field: string, text: string, { read, fault }: Reading<T>): T | null => {
    if (text.trim() === '') return null
    const found = read(text)
    if (found === null) faults.set(field, fault)
    return found
  }
