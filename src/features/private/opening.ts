// Tells the sheet which lead to mark as private, when a conversation's menu or a card asks for it.
import { useEffect, useEffectEvent } from 'react'
import type { Lead } from '#domain/lead/lead.ts'

/** `onDone` is called after the lead has vanished from the board or its stage. */
type Asked = { lead: Lead; onDone: () => void }

const asked = new EventTarget()

export function askToMark(lead: Lead, onDone: () => void = () => undefined) {
  asked.dispatchEvent(new CustomEvent<Asked>('mark', { detail: { lead, onDone } }))
}

export function useAskedToMark(act: (who: Asked) => void) {
  const hear = useEffectEvent((event: Event) => {
    if (event instanceof CustomEvent) act(event.detail)
  })
  useEffect(() => {
    const listener = (event: Event) => hear(event)
    asked.addEventListener('mark', listener)
    return () => asked.removeEventListener('mark', listener)
  }, [])
}
