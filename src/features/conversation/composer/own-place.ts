// Sends the broker's current location to the lead, after a confirmation because it is personal.
import { sendCard } from '#data/messages/sending.ts'
import { PortalError } from '#domain/errors.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { ask } from '#ui/feedback/ask.ts'
import { currentToast, dismissToast, toast } from '#ui/feedback/toast.ts'
import { notDone, SEND } from '../ground/texts.ts'

const sendPlaceTo = (name: string) => `Enviar sua localização a ${name}?`

const PLACE = {
  denied: 'A localização está bloqueada. Libere-a para este site nos ajustes do navegador.',
  unknown: 'Não foi possível achar sua localização. Confira se o GPS está ligado e tente de novo.',
  unsupported: 'Este navegador não informa a localização.',
}

/** Indoors the first fix takes some seconds; a position older than a minute may be another street. */
const ASKED: PositionOptions = { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 }

export function askToSendPlace(lead: Lead) {
  ask({
    question: sendPlaceTo(leadTitle(lead)),
    consequence: 'O contato vê no mapa onde você está agora.',
    action: { label: SEND, run: () => void sendPlace(lead), tone: 'primary' },
  })
}

/** Longer than the browser's own limit, which does not run while it asks for permission. */
const ENDS_AFTER_MS = 20_000

async function sendPlace(lead: Lead) {
  toast('Procurando sua localização…', 'info', { durationMs: ENDS_AFTER_MS + 1_000 })
  const searching = currentToast()
  try {
    const { latitude, longitude } = await whereAmI()
    if (currentToast() === searching) dismissToast()
    const place = { latitude, longitude, name: null, address: null, isLive: false }
    await sendCard(lead, { kind: 'location', place })
  } catch (error) {
    toast(faultOf(error), 'error')
  }
}

function whereAmI(): Promise<GeolocationCoordinates> {
  return new Promise((resolve, reject) => {
    // Browsers offer no location on pages over plain http.
    setTimeout(() => reject(new PortalError('place.unknown', PLACE.unknown)), ENDS_AFTER_MS)
    if (!('geolocation' in navigator)) reject(new PortalError('place.unsupported', PLACE.unsupported))
    else navigator.geolocation.getCurrentPosition(({ coords }) => resolve(coords), reject, ASKED)
  })
}

function faultOf(error: unknown): string {
  if (error instanceof GeolocationPositionError)
    return error.code === error.PERMISSION_DENIED ? PLACE.denied : PLACE.unknown
  return error instanceof PortalError ? error.message : notDone(null)
}
