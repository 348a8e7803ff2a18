// Tests a source: its documented example body is parsed with the key's settings. Creates no lead.
import { UnreadableLead, type KeySettings } from './new-lead.ts'
import { readBody, SOURCES, type KeyKind } from './sources.ts'

type Key = { kind: KeyKind; settings: KeySettings; roleta: string | null }

/** The fields that the portal read, null where absent; or `fault`, why no lead could be made. */
export function tryOut({ kind, settings, roleta }: Key, nowMs: number) {
  // The source's own mapping is left out, because it does not fit the example's fields.
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
