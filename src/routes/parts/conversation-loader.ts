// Loads the conversation before everything else that follows the cards, because a touched card waits for it.
import { useEffect } from 'react'
import { goFirst } from '#data/first-in-line.ts'
import { askAhead } from '#data/messages/newest.ts'
import { afterScreen } from '#ui/busy.ts'
import { lazily } from '#ui/lazily.ts'
import { afterStepBack } from '#ui/primitives/overlay/use-back-closes.ts'

export const conversation = lazily(
  async () => (await import('#features/conversation/conversation-dialog.tsx')).ConversationDialog,
)

/** `openConversation` shows the user a failure. */
const loadFirst = () => void goFirst(conversation.load()).catch(() => undefined)

/** On a weak line the conversation's code takes seconds, so its messages are requested meanwhile. */
export function openConversation(id: number, show: () => void) {
  if (!conversation.isHere()) {
    loadFirst()
    askAhead(id)
  }
  conversation.open(() => afterStepBack(show))
}

/** Begins to load it once the screen is painted; other parts wait for it. */
export function useConversationFirst() {
  useEffect(() => void goFirst(afterScreen().then(loadFirst)), [])
}
