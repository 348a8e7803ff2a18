// The one-time link of a first access.
import type { Invitation } from '#data/brokers.ts'
import { displayName } from '#domain/broker.ts'
import { INVITE_TITLE, inviteHint } from '#domain/invite.ts'
import { LinkDialog } from '#ui/feedback/link-dialog.tsx'

type InviteDialogProps = { invitation: Invitation | null; onClose: () => void }

export function InviteDialog({ invitation, onClose }: InviteDialogProps) {
  return (
    <LinkDialog
      title={INVITE_TITLE}
      shown={invitation && { link: invitation.link, hint: inviteHint(displayName(invitation.instanceName)) }}
      onClose={onClose}
    />
  )
}
