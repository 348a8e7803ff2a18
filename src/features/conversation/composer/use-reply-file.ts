// The file of the chosen quick reply, kept on the device like the text, so that a reload does not send the text alone.
import type { ReplyFile } from '#domain/message/quick-reply.ts'
import { useDraft } from './use-draft.ts'

export type ChosenFile = {
  file: ReplyFile | null
  choose: (file: ReplyFile | null) => void
  /** Hides the file at once, and deletes it from the device once `isKept` resolves. */
  leave: (isKept: Promise<unknown>) => void
}

export function useReplyFile(contactId: number): ChosenFile {
  const { text, write, leave } = useDraft(`reply-file:${contactId}`)
  return {
    // The cast is safe, because only `choose` below writes this draft.
    file: text === '' ? null : (JSON.parse(text) as ReplyFile),
    choose: (file) => write(file === null ? '' : JSON.stringify(file)),
    leave,
  }
}
