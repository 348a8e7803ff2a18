// The two letters of a source on its hue. Decoration: its name stands beside it.
import { PRESETS, type SourceKind } from './presets.ts'

export const SourceMark = ({ kind }: { kind: SourceKind }) => (
  <span
    aria-hidden
    data-hue={PRESETS[kind].hue}
    className="inline-flex size-9 shrink-0 items-center justify-center rounded-ctl bg-hue-bg text-13 font-semibold text-hue-fg"
  >
    {PRESETS[kind].initials}
  </span>
)
