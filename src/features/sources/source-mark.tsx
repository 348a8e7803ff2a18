// A source's two letters in its colour. Screen readers skip them, because the name is beside them.
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
