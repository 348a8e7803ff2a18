// The waveform of a voice message as bars.

/**
 * Returns the heights of `bars` bars, from 0 to 1, from base64 bytes of 0 to 100. All bars are low if the waveform is
 * unknown.
 */
export function wavePeaks(waveform: string | null, bars: number): number[] {
  const bytes = waveform === null ? '' : atob(waveform)
  const flat = 0.2
  return Array.from({ length: bars }, (_, bar) => {
    if (bytes === '') return flat
    const from = Math.floor((bar * bytes.length) / bars)
    const to = Math.max(from + 1, Math.floor(((bar + 1) * bytes.length) / bars))
    const loudest = Math.max(...Array.from(bytes.slice(from, to), (byte) => byte.charCodeAt(0)))
    return Math.min(1, Math.max(0.08, loudest / 100))
  })
}
