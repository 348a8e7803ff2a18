// Notes that were typed and not saved, beside those that stood there when the typing began.
import { readDraft, writeDraft } from '#offline/drafts.ts'

/** `base` is what the writer saw: other notes standing there by then are another's words. */
export type NotesDraft = { base: string; text: string }

/** Nobody types it. */
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
