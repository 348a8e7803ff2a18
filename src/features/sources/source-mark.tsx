// A source's two letters on its hue. Decoration: the name is beside it.
import type { SourceKind } from './data.ts'

export const SourceMark = ({ of: { hue, initials } }: { of: SourceKind }) => (
  <span
    aria-hidden
    data-hue={hue}
    className="inline-flex size-9 shrink-0 items-center justify-center rounded-ctl bg-hue-bg text-13 font-semibold text-hue-fg"
  >
    {initials}
  </span>
)
