// A measured value with its limit, and the printed table.

export type Measure = {
  name: string
  value: number
  unit: 'kB' | 'MB' | 'ms' | 's' | '/s' | '%' | ''
  /** The maximum, or with `isLeast` the minimum. */
  limit?: number
  isLeast?: true
  /** The reference's value in the same minutes. */
  floor?: number
  /** The allowed multiple of the reference's value. A larger `limit` wins. */
  times?: number
  /** How much more than the reference's value is allowed, in the measure's unit. */
  points?: number
}

/** The median time of several runs. */
export async function middleMs(work: () => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now()
    await work()
    times.push(performance.now() - startedMs)
  }
  return median(times)
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** The value that `share` of them, from 0 to 1, do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const place = Math.min(values.length - 1, Math.floor(values.length * share))
  return values.toSorted((a, b) => a - b)[place] ?? NaN
}

/** A value without a limit is always within it. */
export function isWithin(measure: Measure): boolean {
  const limit = boundOf(measure)
  return limit === undefined || (measure.isLeast ? measure.value >= limit : measure.value <= limit)
}

function boundOf({ limit, floor, times, points }: Measure): number | undefined {
  const bounds = [
    limit,
    floor !== undefined && times !== undefined ? floor * times : undefined,
    floor !== undefined && points !== undefined ? floor + points : undefined,
  ].filter((bound) => bound !== undefined)
  return bounds.length > 0 ? Math.max(...bounds) : undefined
}

/** Adds the reference's value of the same name to each. */
export function besideFloor(measures: readonly Measure[], floors: readonly Measure[]): Measure[] {
  const valueOf = new Map(floors.map(({ name, value }) => [name, value]))
  return measures.map((measure) => {
    const floor = valueOf.get(measure.name)
    return floor === undefined ? measure : { ...measure, floor }
  })
}

/** The measures as a Markdown table. */
export function toTable(measures: readonly Measure[]): string {
  const rows = measures.map((measure) => {
    const { name, value, unit, floor, isLeast } = measure
    const limit = boundOf(measure)
    const bound = limit === undefined ? '' : `${isLeast ? '≥' : '≤'} ${show(limit, unit)}`
    const beside =
      floor === undefined
        ? ''
        : `${show(floor, unit)}${floor > 0 ? `, ${(value / floor).toFixed(2)} times` : ''}`
    return [name, show(value, unit), beside, bound, isWithin(measure) ? '' : 'over']
  })
  const table = [['measure', 'value', 'floor', 'limit', ''], ...rows]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(3, ...table.map((row) => row[column]?.length ?? 0)))
  const line = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [
    line(table[0] ?? []),
    line(widths.map((width) => '-'.repeat(width))),
    ...table.slice(1).map(line),
  ].join('\n')
}

function show(value: number, unit: Measure['unit']): string {
  const digits = value >= 100 || Number.isInteger(value) ? 0 : 1
  return `${value.toFixed(digits)}${unit === '/s' ? '' : ' '}${unit}`.trimEnd()
}
