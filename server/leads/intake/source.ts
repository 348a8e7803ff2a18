// The type of a source of leads: a file in sources/ recognises its bodies, parses them, and gives an example.
import type { ReadSource } from './new-lead.ts'

export type Source = {
  read: ReadSource
  /** Tells whether a body has this source's format, whichever key it came under. */
  recognises: (body: unknown) => boolean
  /** A body from the published contract, used by tests and by the connection test. */
  example: { contract: string; contentType: string; body: unknown }
  preset: Preset
}

/** A source's texts and marks on screens. */
type Preset = {
  name: string
  what: string
  /** Two letters that identify the source on screen. */
  initials: string
  /** One of the hues in src/ui/primitives/hue.ts. */
  hue: string
  /** Where in the source the administrator enters the address; the first step on screen. */
  place: string
}
