// A prompt that was typed and not saved, beside the version that its writer saw.
import { readDraft, writeDraft } from '#offline/drafts.ts'

/** `base`: another version standing there by then is another's text. */
export type PromptDraft = { base: number | null; text: string }

/** Nobody types it. */
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
