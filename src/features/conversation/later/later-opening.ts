// Lets the conversation's menu tell the composer to open 'Enviar depois'.
import { useEffect, useEffectEvent } from 'react'

const asked = new EventTarget()

export function askToSendLater(leadId: number) {
  asked.dispatchEvent(new CustomEvent('later', { detail: leadId }))
}

export function useAskedToSendLater(leadId: number, open: () => void) {
  const hear = useEffectEvent((event: Event) => {
    if (event instanceof CustomEvent && event.detail === leadId) open()
  })
  useEffect(() => {
    const listener = (event: Event) => hear(event)
    asked.addEventListener('later', listener)
    return () => asked.removeEventListener('later', listener)
  }, [])
}
