// The list of administrators: add, reset access, remove.
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { PanelInvitation } from '#data/panel-invitation.ts'
import { adminsQuery } from './data.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { useSession } from '#data/session.ts'
import { INVITE_TITLE, inviteWords } from '#domain/invite.ts'
import { Button } from '#ui/primitives/button.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { LinkDialog } from '#ui/feedback/link-dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { PORTAL } from '#ui/primitives/page-title.ts'
import { AddAdminDialog } from './add-admin-dialog.tsx'
import { AdminRow } from './admin-row.tsx'
import { Section } from './section.tsx'
import { ADD, ADMINS } from './texts.ts'

export function AdminsCard() {
  const read = useQuery(adminsQuery())
  const { data: admins } = read
  const session = useSession()
  const isOnline = useIsOnline()
  const [isAdding, setAdding] = useState(false)
  // Each link is shown only once, so a new invitation waits until the shown one is closed.
  const [[invitation], setInvitations] = useState<readonly PanelInvitation[]>([])
  const show = (made: PanelInvitation) => setInvitations((waiting) => [...waiting, made])
  const ownId = session.status === 'in' ? session.user.id : null
  return (
    <Section
      title="Quem tem acesso"
      hint="Quem vê e administra tudo no portal."
      action={
        <Button
          icon={Plus}
          disabled={!isOnline}
          title={isOnline ? undefined : ONLINE_ONLY}
          onClick={() => setAdding(true)}
        >
          {ADD}
        </Button>
      }
    >
      <div className="pt-3">
        {admins ? (
          <ul aria-label={ADMINS}>
            {admins.map((admin) => (
              <AdminRow
                key={admin.id}
                admin={admin}
                isSelf={admin.id === ownId}
                isOnline={isOnline}
                onInvited={show}
              />
            ))}
          </ul>
        ) : read.error ? (
          <FailedRead of={read} />
        ) : (
          <Skeleton className="h-14 rounded-lg!" />
        )}
      </div>
      <AddAdminDialog
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onAdded={(made) => {
          setAdding(false)
          show(made)
        }}
      />
      <LinkDialog
        title={INVITE_TITLE}
        shown={invitation ? inviteWords(invitation.username, PORTAL, invitation.link) : null}
        onClose={() => setInvitations((waiting) => waiting.slice(1))}
      />
    </Section>
  )
}
