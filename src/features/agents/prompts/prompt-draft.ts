// An unsaved prompt, together with the version on which it is based.
import { readDraft, writeDraft } from '#offline/drafts.ts'

/**
 * `base` is the version that the user edited. If the saved version differs from it, somebody else has saved meanwhile.
 */
export type PromptDraft = { base: number | null; text: string }

/** Separates version and text in the stored draft; nobody can type this character. */
const BETWEEN = '\u0000'

const draftKey = (agentId: number, field: string) => `prompt:${agentId}:${field}`

export async function readPromptDraft(agentId: number, field: string): Promise<PromptDraft | null> {
  const stored = await readDraft(draftKey(agentId, field))
  const at = stored.indexOf(BETWEEN)
  if (at === -1) return null
  const base = stored.slice(0, at)
  return { base: base === '' ? null : Number(base), text: stored.slice(at + 1) }
}

export function writePromptDraft(agentId: number, field: string, { base, text }: PromptDraft) {
  void writeDraft(draftKey(agentId, field), `${base ?? ''}${BETWEEN}${text}`)
}

export function forgetPromptDraft(agentId: number, field: string) {
  void writeDraft(draftKey(agentId, field), '')
}
