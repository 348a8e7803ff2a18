// Loads the conversation's code before everything else that follows the cards, because a user who touches a card waits
// for it.
import { useEffect } from 'react'
import { goFirst } from '#data/first-in-line.ts'
import { askAhead } from '#data/messages/newest.ts'
import { afterScreen } from '#ui/busy.ts'
import { lazily } from '#ui/lazily.ts'
import { afterStepBack } from '#ui/primitives/overlay/use-back-closes.ts'

export const conversation = lazily(
  async () => (await import('#features/conversation/conversation-dialog.tsx')).ConversationDialog,
)

/** Ignores a failure here, because `openConversation` tells the user about it. */
const loadFirst = () => void goFirst(conversation.load()).catch(() => undefined)

/** Opens a conversation. Its messages are requested while its code loads, which takes seconds on a weak signal. */
export function openConversation(id: number, show: () => void) {
  if (!conversation.isHere()) {
    loadFirst()
    askAhead(id)
  }
  conversation.open(() => afterStepBack(show))
}

/** Loads the conversation's code once the screen is painted. Other parts wait for it. */
export function useConversationFirst() {
  useEffect(() => void goFirst(afterScreen().then(loadFirst)), [])
}
