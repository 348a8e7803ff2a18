// The file of the chosen quick reply, kept on the device like the text, so that a reload does not send the text alone.
import type { ReplyFile } from '#domain/message/quick-reply.ts'
import { useDraft } from './use-draft.ts'

export type ChosenFile = {
  file: ReplyFile | null
  choose: (file: ReplyFile | null) => void
  /** Takes it away at once, from the device when `isKept` resolves. */
  leave: (isKept: Promise<unknown>) => void
}

export function useReplyFile(contactId: number): ChosenFile {
  const { text, write, leave } = useDraft(`reply-file:${contactId}`)
  return {
    // Only this app wrote it.
    file: text === '' ? null : (JSON.parse(text) as ReplyFile),
    choose: (file) => write(file === null ? '' : JSON.stringify(file)),
    leave,
  }
}
