// The small sign of how far something sent went: a clock, one tick, two, two in colour.

type TicksProps = { of: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'unknown' }

/** Decoration, painted by glyphs.css: what it says stands beside it in words. */
export function Ticks({ of }: TicksProps) {
  return <span aria-hidden data-glyph={of} className="flex" />
}
