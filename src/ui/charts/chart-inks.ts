// Computes plain colours from the page's present theme, because the chart library takes no others.
import { useMemo } from 'react'
import { useMedia } from '../media.ts'
import { useTheme } from '../theme.ts'

/** The background classes of up to twelve parts, in order. */
const PART_GROUNDS = [
  'bg-chart-1',
  'bg-chart-2',
  'bg-chart-3',
  'bg-chart-4',
  'bg-chart-5',
  'bg-chart-6',
  'bg-chart-7',
  'bg-chart-8',
  'bg-chart-9',
  'bg-chart-10',
  'bg-chart-11',
  'bg-chart-12',
] as const

/**
 * Returns the colour of a part. After twelve parts the colours repeat. In a ring the last part never has the first
 * part's colour.
 */
export function inkOf(index: number, count: number): number {
  const ink = index % PART_GROUNDS.length
  return ink === 0 && index > 0 && index === count - 1 ? PART_GROUNDS.length / 2 : ink
}

export function partGround(index: number, count: number): string {
  return PART_GROUNDS[inkOf(index, count)] ?? PART_GROUNDS[0]
}

export type Inks = {
  parts: readonly string[]
  /** For each part, a text colour that is readable on it. */
  onParts: readonly string[]
  bar: string
  onBar: string
  /** The colour of all bars but the highest. */
  rest: string
  track: string
  surface: string
  text: string
}

/** Text needs this contrast (WCAG 2.2). */
const READABLE = 4.5

/** Returns the chart's colours, computed again when the theme changes. */
export function useInks(): Inks {
  const [theme] = useTheme()
  const isSystemDark = useMedia('(prefers-color-scheme: dark)')
  // Changes whenever the page's colours do.
  const themeKey = `${theme} ${isSystemDark}`
  return useMemo(() => readInks(themeKey), [themeKey])
}

function readInks(_painted: string): Inks {
  const probe = document.createElement('span')
  document.body.append(probe)
  const read = (ground: string) => {
    probe.className = ground
    return getComputedStyle(probe).backgroundColor
  }
  const parts = PART_GROUNDS.map(read)
  const light = read('bg-chart-light')
  const dark = read('bg-chart-dark')
  const inks = {
    parts,
    onParts: parts.map((part) => (contrast(part, light) >= READABLE ? light : dark)),
    bar: read('bg-primary'),
    onBar: read('bg-on-primary'),
    rest: read('bg-chart-rest'),
    track: read('bg-surface-2'),
    surface: read('bg-surface'),
    text: read('bg-text'),
  }
  probe.remove()
  return inks
}

/** Returns the contrast of two computed colours, such as 'rgb(0, 90, 104)'. */
export function contrast(one: string, other: string): number {
  const [less = 0, more = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (more + 0.05) / (less + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
    const value = Number(part) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
