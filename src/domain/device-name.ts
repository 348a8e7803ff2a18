// Names a device by kind and browser, for the list of devices with pushes.

const KINDS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'],
  [/Linux|CrOS/, 'Linux'],
]
/** Browsers built on another one include its name in the user agent, so test them first. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

/** For example 'Android · Chrome'. */
export function deviceName(userAgent: string): string {
  const known = [KINDS, BROWSERS].flatMap((names) => {
    const found = names.find(([mark]) => mark.test(userAgent))
    return found ? [found[1]] : []
  })
  return known.join(' · ') || 'Aparelho'
}
