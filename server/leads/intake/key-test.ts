// A trial of a source: its own body, as its contract shows it, read by what is set of its key. Nobody comes in by it.
import { UnreadableLead, type KeySettings } from './new-lead.ts'
import { readBody, SOURCES, type KeyKind } from './sources.ts'

type Key = { kind: KeyKind; settings: KeySettings; roleta: string | null }

/** What was read, each null where it is not in the body; or `fault`, why no lead could be made. */
export function tryOut({ kind, settings, roleta }: Key, nowMs: number) {
  // A mapping is for a body of its own, which nobody has here.
  const [lead] = readBody(
    { kind, settings: { ...settings, mapping: undefined } },
    SOURCES[kind].example.body,
    nowMs,
  )
  if (lead === undefined || lead instanceof UnreadableLead)
    return { roleta, fault: lead?.summary ?? 'Sem nenhum lead', told: null }
  const { name, number, email, message, listing } = lead
  return { roleta, fault: null, told: { name, number, email, message, listing } }
}
