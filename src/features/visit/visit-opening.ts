// Lets other parts ask for the booking of a visit (the conversation's menu, the suggestion above its box), or for the
// question about a visit's outcome.
import { useEffect, useEffectEvent } from 'react'

const asked = new EventTarget()

export function askToBook(leadId: number) {
  asked.dispatchEvent(new CustomEvent('visit', { detail: leadId }))
}

export function useAskedToBook(leadId: number, open: () => void) {
  useAsked('visit', (id) => id === leadId && open())
}

export function askForOutcome(leadId: number) {
  asked.dispatchEvent(new CustomEvent('outcome', { detail: leadId }))
}

export const useAskedForOutcome = (ask: (leadId: number) => void) => useAsked('outcome', ask)

function useAsked(what: 'visit' | 'outcome', act: (leadId: number) => void) {
  const hear = useEffectEvent((event: Event) => {
    if (event instanceof CustomEvent) act(event.detail)
  })
  useEffect(() => {
    const listener = (event: Event) => hear(event)
    asked.addEventListener(what, listener)
    return () => asked.removeEventListener(what, listener)
  }, [what])
}
