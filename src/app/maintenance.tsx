// What looks after the app and after what it keeps, in one chunk of its own.
import { AppUpdates, type AppUpdatesProps } from '#features/install/app-keeper.tsx'
import { ErasedLeadsCleanup } from '#features/outbox/erased-maintenance.tsx'
import type { BrokerUser } from '#domain/session.ts'
import { WithData } from '#data/with-data.tsx'
import { useKeptPage } from './keep-snapshot.ts'
import { listenForInstall } from '#live/install.ts'

listenForInstall()

export function Maintenance(props: AppUpdatesProps) {
  const { user } = props
  return (
    // It stands beside the screens, not in them: the icon of an installed app counts the board's unread leads.
    <WithData>
      <AppUpdates {...props} />
      {user.role === 'broker' && <KeptPage user={user} />}
      <ErasedLeadsCleanup />
    </WithData>
  )
}

function KeptPage({ user }: { user: BrokerUser }) {
  useKeptPage(user)
  return null
}
