// Optional parts of a broker's screens. They load after the board is painted, so that they delay no card.
import { Suspense } from 'react'
import { useArrival } from '#ui/arrival.ts'
import { lazily } from '#ui/lazily.ts'
import { useConversationFirst } from './conversation-loader.ts'
import { sharing } from './sharing-loader.ts'

const storage = lazily(async () => (await import('#features/account/storage-banner.tsx')).StorageBanner)
const offers = lazily(async () => (await import('#features/offers/offers.tsx')).Offers)
const loss = lazily(async () => (await import('#features/conversation/lead/loss-asker.tsx')).LossAsker)
const places = lazily(async () => (await import('./broker-places.tsx')).BrokerPlaces)
const todayCount = lazily(async () => (await import('#features/today/today-count.tsx')).TodayCount)

type OfBoard = { instanceName: string }

export function BrokerArrivals({ instanceName }: OfBoard) {
  useConversationFirst()
  return [storage, offers, loss, places, sharing].map((part, place) => (
    // The index is a stable key, because the list of parts never changes.
    <Arriving key={place} part={part} instanceName={instanceName} />
  ))
}

/** The number of urgent leads in the top bar. */
export function TodayCountArrival({ instanceName }: OfBoard) {
  return <Arriving part={todayCount} instanceName={instanceName} />
}

function Arriving({ part, instanceName }: OfBoard & { part: typeof todayCount | typeof offers }) {
  const isHere = useArrival(part.load)
  return <Suspense>{isHere && <part.Component instanceName={instanceName} />}</Suspense>
}
