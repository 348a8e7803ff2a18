// The index of developments that each phone stores, so that a broker can send material without a signal. It is packed,
// because a thousand developments must fit into 120 kB.
import {
  type Development,
  type DevelopmentFile,
  type DevelopmentFileKind,
  type DevelopmentState,
  FILE_KINDS,
  type Plan,
  STATES,
} from './development.ts'

export type MaterialPhoto = Pick<DevelopmentFile, 'id' | 'title'>
/** `addedOn` is written as yyyy-mm-dd. */
export type MaterialDocument = Pick<DevelopmentFile, 'id' | 'kind' | 'title' | 'fileName' | 'sizeBytes'> & {
  addedOn: string
}
export type Material = Omit<Development, 'version' | 'builder' | 'description' | 'archivedAt' | 'media'> & {
  /** The photos in order, then the drawings that no plan uses. */
  photos: MaterialPhoto[]
  documents: MaterialDocument[]
  /** How many units are available; null if the development has no units. */
  unitsAvailable: number | null
  /** The slug of the public page; null while no page is published. */
  slug: string | null
}

/** A development as portal.material_index returns it. */
export type MaterialRecord = Omit<Material, 'photos' | 'documents'> & Pick<Development, 'media'>

/** One list per field instead of one object per row, because similar neighbours compress better. */
type Columns<T> = { [K in keyof T]: readonly T[K][] }

type Texts = (string | null)[]
type Numbers = (number | null)[]
type Counts = number[]
type Names = string[]
type Priced = { price: Numbers; priced: Numbers; valid: Numbers }
export type PackedIndex = Priced & {
  id: Counts
  name: Names
  state: Counts
  delivers: Numbers
  address: Texts
  district: Texts
  city: Texts
  placeName: Texts
  latitude: Numbers
  longitude: Numbers
  license: Texts
  slug: Texts
  /** Missing in an index that an earlier release made. */
  available?: Numbers | undefined
  plans: Priced & {
    count: Counts
    id: Counts
    name: Names
    bedrooms: Numbers
    suites: Numbers
    parking: Numbers
    areaFrom: Numbers
    areaTo: Numbers
    priceTo: Numbers
    left: Numbers
    drawing: Numbers
  }
  photos: { count: Counts; id: Counts; title: Texts }
  documents: {
    count: Counts
    id: Counts
    kind: Counts
    title: Texts
    fileName: Names
    kilobytes: Counts
    added: Counts
  }
}

const DAY_MS = 86_400_000
const dayNumber = (day: string) => Date.parse(`${day.slice(0, 10)}T00:00:00Z`) / DAY_MS
const dayOf = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10)
const maybe = <A, B>(value: A | null, change: (value: A) => B): B | null =>
  value === null ? null : change(value)

/** Stores ids as differences, which are mostly small, because files are added one after another. */
const distances = (ids: readonly number[]) => ids.map((id, at) => id - (ids[at - 1] ?? 0))

function sums(steps: readonly number[]): number[] {
  let sum = 0
  return steps.map((step) => (sum += step))
}

const pricesOf = (rows: readonly Pick<Plan, 'priceFromCents' | 'pricedOn' | 'validUntil'>[]) => ({
  price: rows.map(({ priceFromCents }) => maybe(priceFromCents, (cents) => cents / 100)),
  priced: rows.map(({ pricedOn }) => maybe(pricedOn, dayNumber)),
  valid: rows.map(({ validUntil }) => maybe(validUntil, dayNumber)),
})

/** Rounds a coordinate to about a metre, which is enough to find a sales stand. */
const placed = (degrees: number) => Math.round(degrees * 100_000) / 100_000

export function packIndex(records: readonly MaterialRecord[]): PackedIndex {
  const pick = <K extends keyof MaterialRecord>(field: K) => records.map((record) => record[field])
  const plans = records.flatMap((record) => record.plans)
  const photos = records.map(photosOf)
  const documents = records.map(({ media }) => media.filter(({ mimeType }) => !isPicture(mimeType)))
  const papers = documents.flat()
  return {
    id: distances(pick('id')),
    name: pick('name'),
    state: pick('state').map((state) => (state === null ? -1 : STATES.indexOf(state))),
    delivers: pick('deliversOn').map((day) => maybe(day, dayNumber)),
    address: pick('address'),
    district: pick('district'),
    city: pick('city'),
    placeName: pick('placeName'),
    latitude: pick('latitude').map((degrees) => maybe(degrees, placed)),
    longitude: pick('longitude').map((degrees) => maybe(degrees, placed)),
    license: pick('license'),
    slug: pick('slug'),
    available: pick('unitsAvailable'),
    ...pricesOf(records),
    plans: {
      count: records.map((record) => record.plans.length),
      id: distances(plans.map(({ id }) => id)),
      name: plans.map(({ name }) => name),
      bedrooms: plans.map(({ bedrooms }) => bedrooms),
      suites: plans.map(({ suites }) => suites),
      parking: plans.map(({ parking }) => parking),
      areaFrom: plans.map(({ areaFrom }) => areaFrom),
      areaTo: plans.map(({ areaTo }) => areaTo),
      ...pricesOf(plans),
      priceTo: plans.map(({ priceToCents }) => maybe(priceToCents, (cents) => cents / 100)),
      left: plans.map(({ unitsLeft }) => unitsLeft),
      drawing: plans.map(({ drawingId }) => drawingId),
    },
    photos: {
      count: photos.map(({ length }) => length),
      id: distances(photos.flatMap((of) => of.map(({ id }) => id))),
      title: photos.flatMap((of) => of.map(({ title }) => title)),
    },
    documents: {
      count: documents.map(({ length }) => length),
      id: distances(papers.map(({ id }) => id)),
      kind: papers.map(({ kind }) => FILE_KINDS.indexOf(kind)),
      title: papers.map(({ title }) => title),
      fileName: papers.map(({ fileName }) => fileName),
      kilobytes: papers.map(({ sizeBytes }) => Math.ceil(sizeBytes / 1024)),
      added: papers.map(({ addedAt }) => dayNumber(addedAt)),
    },
  }
}

const isPicture = (mimeType: string) => mimeType.startsWith('image/')

function photosOf({ media, plans }: MaterialRecord): MaterialPhoto[] {
  const drawn = new Set(plans.map(({ drawingId }) => drawingId))
  const pictures = media.filter(({ id, mimeType }) => isPicture(mimeType) && !drawn.has(id))
  return [
    ...pictures.filter(({ kind }) => kind === 'foto'),
    ...pictures.filter(({ kind }) => kind !== 'foto'),
  ].map(({ id, title }) => ({ id, title }))
}

/** Turns the lists of fields back into rows; `ids` holds differences. */
function rowsOf<T extends { id: number }>({ id: steps, ...columns }: Columns<T>): T[] {
  const entries = Object.entries<readonly unknown[]>(columns)
  return sums(steps).map((id, at) => {
    const values = entries.map(([field, column]) => [field, column[at] ?? null] as const)
    return { id, ...Object.fromEntries(values) } as T
  })
}

const priceRow = ({
  price,
  priced,
  valid,
}: {
  price: number | null
  priced: number | null
  valid: number | null
}) => ({
  priceFromCents: maybe(price, toCents),
  pricedOn: maybe(priced, dayOf),
  validUntil: maybe(valid, dayOf),
})
const toCents = (reais: number) => Math.round(reais * 100)

/** Splits a list into parts of these lengths. */
function parted<T>(list: readonly T[], counts: readonly number[]): T[][] {
  let from = 0
  return counts.map((count) => list.slice(from, (from += count)))
}

export function unpackIndex({ plans, photos, documents, ...columns }: PackedIndex): Material[] {
  const { count: planCounts, ...planColumns } = plans
  const { count: photoCounts, ...photoColumns } = photos
  const { count: paperCounts, ...paperColumns } = documents
  const plansOf = parted(
    rowsOf(planColumns).map(({ price, priced, valid, priceTo, left, drawing, ...plan }) => ({
      ...plan,
      ...priceRow({ price, priced, valid }),
      priceToCents: maybe(priceTo, toCents),
      unitsLeft: left,
      drawingId: drawing,
    })),
    planCounts,
  )
  const picturesOf = parted(rowsOf(photoColumns), photoCounts)
  const papersOf = parted(
    rowsOf(paperColumns).map(({ kind, kilobytes, added, ...paper }) => ({
      ...paper,
      kind: (FILE_KINDS[kind] ?? 'tabela') satisfies DevelopmentFileKind,
      sizeBytes: kilobytes * 1024,
      addedOn: dayOf(added),
    })),
    paperCounts,
  )
  const { available = [], ...others } = columns
  return rowsOf({ ...others, available }).map(
    ({ price, priced, valid, state, delivers, available: unitsAvailable, ...record }, at) => ({
      ...record,
      unitsAvailable,
      state: (STATES[state] ?? null) satisfies DevelopmentState | null,
      deliversOn: maybe(delivers, dayOf),
      ...priceRow({ price, priced, valid }),
      plans: plansOf[at] ?? [],
      photos: picturesOf[at] ?? [],
      documents: papersOf[at] ?? [],
    }),
  )
}
