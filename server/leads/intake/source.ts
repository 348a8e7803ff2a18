// What a source of leads is: its own file in sources/ says how its bodies look, what is read of them, shows one, and how screens call it.
import type { ReadSource } from './new-lead.ts'

export type Source = {
  read: ReadSource
  /** Whether a body is of this source, under whatever key it came. */
  recognises: (body: unknown) => boolean
  /** A body as its published contract shows it: what a trial of a source reads, and what tests hold to. */
  example: { contract: string; contentType: string; body: unknown }
  preset: Preset
}

/** What screens say of a source. */
type Preset = {
  name: string
  what: string
  /** Two letters, no other source's. */
  initials: string
  /** One of the hues in src/ui/primitives/hue.ts. */
  hue: string
  /** The first step: where its address goes. */
  place: string
}
