// A measured value beside its limit, and the table they are shown in.

export type Measure = {
  name: string
  value: number
  unit: 'kB' | 'MB' | 'ms' | '/s' | '%' | ''
  /** No more than this, or with `isLeast` no less. */
  limit?: number
  isLeast?: true
}

/** How long work takes in the middle of so many times. */
export async function middleMs(work: () => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now()
    await work()
    times.push(performance.now() - startedMs)
  }
  return median(times)
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}

/** A value without a limit cannot miss it. */
export const isWithin = ({ value, limit, isLeast }: Measure): boolean =>
  limit === undefined || (isLeast ? value >= limit : value <= limit)

/** Markdown, so that it can stand in the README as it is. */
export function toTable(measures: readonly Measure[]): string {
  const rows = measures.map((measure) => {
    const { name, value, unit, limit, isLeast } = measure
    const bound = limit === undefined ? '' : `${isLeast ? '≥' : '≤'} ${show(limit, unit)}`
    return [name, show(value, unit), bound, isWithin(measure) ? '' : 'over']
  })
  const table = [['measure', 'value', 'limit', ''], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(3, ...table.map((row) => row[column]?.length ?? 0)))
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
