// How a voice message looks: its loudness over time as bars.

/** Heights from 0 to 1, as many as are wanted, of bytes 0 to 100 in base64; low and even where nothing is known. */
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
