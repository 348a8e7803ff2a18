// What comes by itself on a broker's screens once the board is painted. Nothing waits for it, and it holds up no card.
import { Suspense } from 'react'
import { useArrival } from '#ui/arrival.ts'
import { lazily } from '#ui/lazily.ts'

const storage = lazily(async () => (await import('#features/account/storage-banner.tsx')).StorageBanner)
const offers = lazily(async () => (await import('#features/offers/offers.tsx')).Offers)
const loss = lazily(async () => (await import('#features/conversation/lead/loss-asker.tsx')).LossAsker)
const privatePlace = lazily(async () => (await import('#features/private/private-place.tsx')).PrivatePlace)
const todayCount = lazily(async () => (await import('#features/today/today-count.tsx')).TodayCount)

type OfBoard = { instanceName: string }

export function BrokerArrivals({ instanceName }: OfBoard) {
  return [storage, offers, loss, privatePlace].map((part, place) => (
    // The four never change places.
    <Arriving key={place} part={part} instanceName={instanceName} />
  ))
}

/** Of the top bar. */
export function TodayCountArrival({ instanceName }: OfBoard) {
  return <Arriving part={todayCount} instanceName={instanceName} />
}

function Arriving({ part, instanceName }: OfBoard & { part: typeof todayCount | typeof offers }) {
  const isHere = useArrival(part.load)
  return <Suspense>{isHere && <part.Component instanceName={instanceName} />}</Suspense>
}
