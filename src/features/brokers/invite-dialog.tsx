// The one-time link for a first access.
import type { Invitation } from '#data/brokers.ts'
import { displayName } from '#domain/broker.ts'
import { INVITE_TITLE, inviteWords } from '#domain/invite.ts'
import { LinkDialog } from '#ui/feedback/link-dialog.tsx'
import { PORTAL } from '#ui/primitives/page-title.ts'

type InviteDialogProps = { invitation: Invitation | null; onClose: () => void }

export function InviteDialog({ invitation, onClose }: InviteDialogProps) {
  const name = displayName(invitation?.instanceName ?? '')
  return (
    <LinkDialog
      title={INVITE_TITLE}
      shown={invitation && inviteWords(name, PORTAL, invitation.link)}
      onClose={onClose}
    />
  )
}
