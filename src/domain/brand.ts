// Derives all accent colours from the agency's colour, each readable on its background, in light and in dark.

/** Colours by the names of the design tokens; '#rrggbb'. */
export type Accents = {
  primary: string
  'primary-hover': string
  'primary-active': string
  'on-primary': string
  'primary-soft': string
  'primary-soft-2': string
  'on-primary-soft': string
}

/**
 * Text needs this contrast; https://www.w3.org/TR/WCAG22/#contrast-minimum. Icons and borders need only 3, so they have
 * enough too.
 */
export const TEXT_CONTRAST = 4.5
/** The backgrounds on which an accent is hardest to read. Colours that are readable here are readable everywhere. */
export const HARDEST = { light: '#eae7e1', dark: '#263034' } as const
const [BLACK, WHITE, DARK_PAGE, DARK_TEXT] = ['#000000', '#ffffff', '#0c1214', '#04191e'] as const
const STEPS = 50

export const isColor = (text: string) => /^#[0-9a-f]{6}$/.test(text)

/** The colour itself if it is readable, else the nearest readable shade. */
export function accentsOf(color: string): { light: Accents; dark: Accents } {
  const light = readable(color, BLACK, HARDEST.light)
  const lightSoft = mixed(light, WHITE, 0.79)
  const dark = readable(color, WHITE, HARDEST.dark)
  const darkSoft = mixed(dark, DARK_PAGE, 0.76)
  return {
    light: {
      primary: light,
      'primary-hover': mixed(light, BLACK, 0.16),
      'primary-active': mixed(light, BLACK, 0.3),
      'on-primary': WHITE,
      'primary-soft': mixed(light, WHITE, 0.87),
      'primary-soft-2': lightSoft,
      'on-primary-soft': readable(light, BLACK, lightSoft),
    },
    dark: {
      primary: dark,
      'primary-hover': mixed(dark, WHITE, 0.16),
      'primary-active': mixed(dark, BLACK, 0.06),
      'on-primary': DARK_TEXT,
      'primary-soft': mixed(dark, DARK_PAGE, 0.82),
      'primary-soft-2': darkSoft,
      'on-primary-soft': readable(dark, WHITE, darkSoft),
    },
  }
}

/** Returns the contrast of two colours, from 1 (equal) to 21; https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio. */
export function contrast(one: string, other: string): number {
  const lights = [luminance(one), luminance(other)]
  return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05)
}

function readable(color: string, towards: string, on: string): string {
  for (let step = 0; step < STEPS; step++) {
    const tried = mixed(color, towards, step / STEPS)
    if (contrast(tried, on) >= TEXT_CONTRAST) return tried
  }
  return towards
}

function mixed(from: string, to: string, share: number): string {
  const [a, b] = [channels(from), channels(to)]
  const hex = a.map((value, place) => Math.round(value + ((b[place] ?? value) - value) * share))
  return `#${hex.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

const channels = (color: string) => [1, 3, 5].map((from) => Number.parseInt(color.slice(from, from + 2), 16))

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
