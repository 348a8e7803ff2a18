// What a source of leads is: its own file in sources/ says how its bodies look, what is read of them, and shows one.
import type { ReadSource } from './new-lead.ts'

export type Source = {
  read: ReadSource
  /** Whether a body is of this source, under whatever key it came. */
  recognises: (body: unknown) => boolean
  /** A body as its published contract shows it: what a trial of a source reads, and what tests hold to. */
  example: { contract: string; contentType: string; body: unknown }
}
