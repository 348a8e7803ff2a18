// The unsent texts of conversations, which cards show. The open conversation's text is left out, because its box shows
// it.
import { listDrafts } from '#offline/drafts.ts'
import { seenConversation, watchSeenConversation } from './seen-conversation.ts'

/** Cards show at most this much of a text. */
const MAX_LETTERS = 200

/**
 * Calls `show` with all unsent texts by lead: now, and whenever a conversation was opened or left. Returns the function
 * that stops it.
 */
export function watchDrafts(show: (drafts: ReadonlyMap<number, string>) => void): () => void {
  let shown = ''
  let turn = 0
  const read = async () => {
    const mine = ++turn
    const drafts = new Map<number, string>()
    for (const [id, text] of await listDrafts('conversation:'))
      if (text.trim() !== '' && Number(id) !== seenConversation())
        drafts.set(Number(id), text.trim().slice(0, MAX_LETTERS))
    const now = JSON.stringify([...drafts])
    if (mine !== turn || now === shown) return
    shown = now
    show(drafts)
  }
  void read()
  const stop = watchSeenConversation(() => void read())
  return () => {
    turn = -1
    stop()
  }
}
