// What looks after the app and after what it keeps, in one chunk of its own.
import { AppKeeper, type AppKeeperProps } from '#features/install/app-keeper.tsx'
import { ErasedKeeper } from '#features/outbox/erased-keeper.tsx'

export function Keepers(props: AppKeeperProps) {
  return (
    <>
      <AppKeeper {...props} />
      <ErasedKeeper />
    </>
  )
}
