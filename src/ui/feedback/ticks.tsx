// The delivery state of a sent message as an icon: a clock, one tick, two, two in colour.

type TicksProps = { of: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'unknown' }

/** Decoration, drawn by glyphs.css: text beside it says the same. */
export function Ticks({ of }: TicksProps) {
  return <span aria-hidden data-glyph={of} className="flex" />
}
