// A development as its form holds it: as texts, which are read into values when the form is saved.
import { formatDate } from '#domain/format.ts'
import { readDayMs } from '#domain/lead/list/values.ts'
import { dayAt } from '#domain/dashboard/period.ts'
import {
  AREA,
  centsText,
  type Faults,
  orEmpty,
  PRICE,
  reader,
  readCount,
  type Reading,
  squareMetres,
} from './cells.ts'
import { dayText, MONTHS, monthText } from './price-words.ts'
import {
  STATES,
  type Development,
  type DevelopmentFile,
  type DevelopmentState,
  type Plan,
  type Unit,
} from './development.ts'
import { readUnits, type UnitTexts, unitTexts } from './units.ts'

/** CELLS are the columns of the table of plans, in order. DETAILS are the fields below a plan's row. */
export const CELLS = ['name', 'area', 'price', 'validUntil', 'unitsLeft'] as const
export type Cell = (typeof CELLS)[number]
export const DETAILS = ['bedrooms', 'suites', 'parking', 'areaTo', 'priceTo'] as const
export type Detail = (typeof DETAILS)[number]
export type PlanTexts = Record<Cell | Detail, string> & {
  /** Identifies the row while the form is open. */
  key: string
  id: number | null
  drawingId: number | null
}

const FIELDS = [
  'name',
  'builder',
  'address',
  'district',
  'city',
  'placeName',
  'description',
  'license',
] as const
export type DevelopmentEdit = Record<(typeof FIELDS)[number], string> & {
  state: DevelopmentState | ''
  /** For example 'mar/2028'. */
  delivery: string
  /** For example '-23,5505, -46,6333'. */
  point: string
  price: string
  validUntil: string
  plans: PlanTexts[]
  units: UnitTexts[]
  media: DevelopmentFile[]
  removedMedia: number[]
}

const planTexts = (plan: Plan): PlanTexts => ({
  key: `plan-${plan.id}`,
  id: plan.id,
  drawingId: plan.drawingId,
  name: plan.name,
  area: orEmpty(plan.areaFrom, squareMetres),
  areaTo: orEmpty(plan.areaTo, squareMetres),
  price: orEmpty(plan.priceFromCents, centsText),
  priceTo: orEmpty(plan.priceToCents, centsText),
  validUntil: orEmpty(plan.validUntil, dayText),
  unitsLeft: orEmpty(plan.unitsLeft),
  bedrooms: orEmpty(plan.bedrooms),
  suites: orEmpty(plan.suites),
  parking: orEmpty(plan.parking),
})

export const emptyPlan = (key: string): PlanTexts => ({
  key,
  id: null,
  drawingId: null,
  name: '',
  area: '',
  areaTo: '',
  price: '',
  priceTo: '',
  validUntil: '',
  unitsLeft: '',
  bedrooms: '',
  suites: '',
  parking: '',
})

export function toEdit(development: Development & { units: readonly Unit[] }): DevelopmentEdit {
  const { latitude, longitude } = development
  return {
    ...(Object.fromEntries(FIELDS.map((field) => [field, development[field] ?? ''])) as Record<
      (typeof FIELDS)[number],
      string
    >),
    state: development.state ?? '',
    delivery: orEmpty(development.deliversOn, monthText),
    point: latitude === null || longitude === null ? '' : `${latitude}, ${longitude}`,
    price: orEmpty(development.priceFromCents, centsText),
    validUntil: orEmpty(development.validUntil, dayText),
    plans: development.plans.map(planTexts),
    units: development.units.map(unitTexts),
    media: development.media,
    removedMedia: [],
  }
}

/** Returns the first day of a month written as 'mar/2028', '03/2028' or 'março de 2028'; null for anything else. */
export function readMonth(text: string): string | null {
  const [, written = '', year = ''] =
    /^\s*(\p{L}{3,9}|\d{1,2})\s*(?:\/|-|\sde\s|\s)\s*(\d{4})\s*$/iu.exec(text) ?? []
  const month = /^\d/.test(written) ? Number(written) : MONTHS.indexOf(written.slice(0, 3).toLowerCase()) + 1
  return month >= 1 && month <= 12 ? `${year}-${String(month).padStart(2, '0')}-01` : null
}

/** Returns a typed day as yyyy-mm-dd; null for anything else. */
export function readDay(text: string): string | null {
  const ms = readDayMs(text)
  return ms === null ? null : dayAt(ms)
}

/** Reads latitude and longitude as map sites copy them, such as '-23.5505, -46.6333', also with decimal commas. */
export function readPoint(text: string): { latitude: number; longitude: number } | null {
  const [, north = '', east = ''] =
    /^\s*(-?\d{1,2}(?:[.,]\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:[.,]\d+)?)\s*$/.exec(text) ?? []
  const [latitude, longitude] = [north, east].map((part) => Number(part.replace(',', '.')))
  if (north === '' || latitude === undefined || longitude === undefined) return null
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

const READ: Record<Exclude<Cell | Detail, 'name'>, Reading<string | number>> = {
  area: AREA,
  areaTo: AREA,
  price: PRICE,
  priceTo: PRICE,
  validUntil: { read: readDay, fault: 'Um dia, como 30/11/2026.' },
  unitsLeft: { read: readCount, fault: 'Um número inteiro.' },
  bedrooms: { read: readCount, fault: 'Um número inteiro.' },
  suites: { read: readCount, fault: 'Um número inteiro.' },
  parking: { read: readCount, fault: 'Um número inteiro.' },
}

/**
 * Reads the form: `wanted` is the body that the portal saves, `faults` the fields that cannot be read. Units are left
 * out, and stay, unless `hasNewUnits`.
 */
export function readEdit(edit: DevelopmentEdit, hasNewUnits: boolean): { wanted: object; faults: Faults } {
  const faults = new Map<string, string>()
  const value = reader(faults)
  const withDay = (field: string, price: unknown, day: unknown) => {
    if (price !== null && day === null && !faults.has(field)) faults.set(field, 'Falta a validade.')
  }
  if (edit.name.trim() === '') faults.set('name', 'O nome é obrigatório.')
  const point = value('point', edit.point, {
    read: readPoint,
    fault: 'Copie o ponto do mapa, como -23.5505, -46.6333.',
  })
  const price = value('price', edit.price, READ.price)
  const validUntil = value('validUntil', edit.validUntil, READ.validUntil)
  withDay('validUntil', price, validUntil)
  const plans = edit.plans.filter(isFilled).map((plan) => {
    const cell = (name: keyof typeof READ) => value(`${plan.key}.${name}`, plan[name], READ[name])
    const read = {
      id: plan.id,
      drawingId: plan.drawingId,
      name: plan.name.trim(),
      bedrooms: cell('bedrooms'),
      suites: cell('suites'),
      parking: cell('parking'),
      areaFrom: cell('area'),
      areaTo: cell('areaTo'),
      priceFromCents: cell('price'),
      priceToCents: cell('priceTo'),
      validUntil: cell('validUntil'),
      unitsLeft: cell('unitsLeft'),
    }
    if (read.name === '') faults.set(`${plan.key}.name`, 'Falta o nome da planta.')
    withDay(`${plan.key}.validUntil`, read.priceFromCents, read.validUntil)
    return read
  })
  const text = (field: (typeof FIELDS)[number]) => edit[field].trim() || null
  const wanted = {
    ...Object.fromEntries(FIELDS.map((field) => [field, text(field)])),
    state: edit.state || null,
    deliversOn: value('delivery', edit.delivery, { read: readMonth, fault: 'Um mês, como mar/2028.' }),
    latitude: point?.latitude ?? null,
    longitude: point?.longitude ?? null,
    priceFromCents: price,
    validUntil,
    plans,
    ...(hasNewUnits && { units: readUnits(edit.units, faults) }),
    media: edit.media.map(({ id, title }) => ({ id, title })),
    removedMedia: edit.removedMedia,
  }
  return { wanted, faults }
}

/** False for an empty row, which is not saved. */
const isFilled = (plan: PlanTexts) => [...CELLS, ...DETAILS].some((cell) => plan[cell].trim() !== '')

export const stateOf = (text: string): DevelopmentState | '' => STATES.find((state) => state === text) ?? ''

/** Returns the day of an instant in short form, such as '21/11'. */
export const addedOn = (iso: string) => formatDate(Date.parse(iso)).slice(0, 5)
