// The sheets that pass leads to colleagues and mark contacts as private, on every broker screen.
import { PassingPlace } from '#features/passing/passing-place.tsx'
import { PrivatePlace } from '#features/private/private-place.tsx'

export function BrokerPlaces({ instanceName }: { instanceName: string }) {
  return (
    <>
      <PassingPlace instanceName={instanceName} />
      <PrivatePlace />
    </>
  )
}
