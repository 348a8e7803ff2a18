// Stores unsaved notes together with the saved notes on which they are based.
import { readDraft, writeDraft } from '#offline/drafts.ts'

/** `base` has the saved notes when editing began. If the saved notes differ from it, somebody else has changed them. */
export type NotesDraft = { base: string; text: string }

/** Separates base and text in the stored draft; nobody can type this character. */
const BETWEEN = '\u0000'

const draftKey = (leadId: number) => `notes:${leadId}`

export async function readNotesDraft(leadId: number): Promise<NotesDraft | null> {
  const [base, text] = (await readDraft(draftKey(leadId))).split(BETWEEN)
  return base === undefined || text === undefined ? null : { base, text }
}

export function writeNotesDraft(leadId: number, { base, text }: NotesDraft) {
  void writeDraft(draftKey(leadId), base + BETWEEN + text)
}

export function forgetNotesDraft(leadId: number) {
  void writeDraft(draftKey(leadId), '')
}
