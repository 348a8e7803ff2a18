// Loads the messages that a search finds, with the search itself; and whose they are.
import type { Column } from '../ground/board-view.ts'
import { lazily } from '#ui/lazily.ts'

export const foundMessages = lazily(async () => (await import('./found-messages.tsx')).FoundMessages)

/** The boards of the columns. */
export function brokersOf(columns: readonly Column[]): readonly string[] {
  return [
    ...new Set(columns.flatMap(({ leads }) => leads.map(({ instanceName }) => instanceName))),
  ].toSorted()
}
