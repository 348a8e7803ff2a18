// What a device is called in the list of those that are told: its kind and its browser.

const KINDS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'],
  [/Linux|CrOS/, 'Linux'],
]
/** Whoever is built upon another says that one's name too, and comes first. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

/** 'Android · Chrome', from what a browser says of itself. */
export function deviceName(userAgent: string): string {
  const known = [KINDS, BROWSERS].flatMap((names) => {
    const found = names.find(([mark]) => mark.test(userAgent))
    return found ? [found[1]] : []
  })
  return known.join(' · ') || 'Aparelho'
}
