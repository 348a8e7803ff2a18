// The delivery state of a sent message as an icon: a clock, one tick, two ticks, two coloured ticks.

type TicksProps = { of: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'unknown' }

/** Drawn by glyphs.css and hidden from screen readers, because text beside it tells the same. */
export function Ticks({ of }: TicksProps) {
  return <span aria-hidden data-glyph={of} className="flex" />
}
