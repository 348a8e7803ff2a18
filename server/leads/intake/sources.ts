// All sources of leads that post to /api/leads with a key, each with what reads its bodies.
import { toNewLead, UnreadableLead, type KeySettings, type NewLead, type ReadSource } from './new-lead.ts'
import { readChavesnamao } from './sources/chavesnamao.ts'
import { readEmail } from './sources/email.ts'
import { readForm } from './sources/form.ts'
import { readGoogle } from './sources/google.ts'
import { readImovelweb } from './sources/imovelweb.ts'
import { readMeta } from './sources/meta.ts'
import { readOlx } from './sources/olx.ts'
import { readRdstation } from './sources/rdstation.ts'

export const SOURCES = {
  form: readForm,
  olx: readOlx,
  imovelweb: readImovelweb,
  chavesnamao: readChavesnamao,
  rdstation: readRdstation,
  google: readGoogle,
  meta: readMeta,
  email: readEmail,
} satisfies Record<string, ReadSource>

export type KeyKind = keyof typeof SOURCES
export const KINDS = Object.keys(SOURCES) as KeyKind[]

/**
 * The leads of a body, each as it was told or why it cannot be read. A mapping is a person's own word on how to read it,
 * whatever the source. Raises UnreadableLead where the body as a whole is none.
 */
export function readBody(
  { kind, settings }: { kind: KeyKind; settings: KeySettings },
  body: unknown,
  nowMs: number,
): (NewLead | UnreadableLead)[] {
  const read = settings.mapping === undefined ? SOURCES[kind] : readForm
  return read(body, settings, nowMs).map((told) => {
    try {
      return toNewLead(told, settings, nowMs)
    } catch (error) {
      if (error instanceof UnreadableLead) return error
      throw error
    }
  })
}
