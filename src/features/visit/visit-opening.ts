// Whose visit is to be booked, from the menu of a conversation or from what is offered over its box.
import { useEffect, useEffectEvent } from 'react'

const asked = new EventTarget()

export function askToBook(leadId: number) {
  asked.dispatchEvent(new CustomEvent('visit', { detail: leadId }))
}

export function useAskedToBook(leadId: number, open: () => void) {
  const hear = useEffectEvent((event: Event) => {
    if (event instanceof CustomEvent && event.detail === leadId) open()
  })
  useEffect(() => {
    const listener = (event: Event) => hear(event)
    asked.addEventListener('visit', listener)
    return () => asked.removeEventListener('visit', listener)
  }, [])
}
