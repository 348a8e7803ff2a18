// The administrators: who there is, added, given a new access, removed. PRODUCT.md 3.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type Admin, type AdminInvitation, adminsQuery, removeAdmin, resetAdmin } from '#data/admins.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { useSession } from '#data/session.ts'
import { ask } from '#ui/ask.ts'
import { Button } from '#ui/button.tsx'
import { LinkDialog } from '#ui/link-dialog.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { LOAD_FAILED, RETRY } from '#ui/texts.ts'
import { toast } from '#ui/toast.ts'
import { AddAdminDialog } from './add-admin-dialog.tsx'
import { AdminRow } from './admin-row.tsx'
import { Section } from './section.tsx'
import {
  ADD,
  ADMINS,
  ADMINS_HINT,
  INVITE_TITLE,
  inviteHint,
  OFFLINE,
  REMOVE,
  removeConsequence,
  REMOVED,
  removeFailed,
  removeQuestion,
  RESET,
  resetConsequence,
  resetFailed,
  resetQuestion,
} from './texts.ts'

export function AdminsCard() {
  const { data: admins, isError, refetch } = useQuery(adminsQuery())
  const session = useSession()
  const isOnline = useIsOnline()
  const [isAdding, setAdding] = useState(false)
  const [invitation, setInvitation] = useState<AdminInvitation | null>(null)
  const reset = useReset(setInvitation)
  const remove = useRemoval()
  const ownId = session.status === 'in' ? session.user.id : null
  return (
    <Section
      title={ADMINS}
      hint={ADMINS_HINT}
      action={
        <Button
          icon={Plus}
          disabled={!isOnline}
          title={isOnline ? undefined : OFFLINE}
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
                onReset={() => reset(admin)}
                onRemove={() => remove(admin)}
              />
            ))}
          </ul>
        ) : isError ? (
          <div className="flex flex-wrap items-center gap-3 text-14 text-text-2">
            {LOAD_FAILED}
            <Button variant="soft" onClick={() => void refetch()}>
              {RETRY}
            </Button>
          </div>
        ) : (
          <Skeleton className="h-14 rounded-lg!" />
        )}
      </div>
      <AddAdminDialog
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onAdded={(made) => {
          setAdding(false)
          setInvitation(made)
        }}
      />
      <LinkDialog
        title={INVITE_TITLE}
        shown={invitation && { link: invitation.link, hint: inviteHint(invitation.username) }}
        onClose={() => setInvitation(null)}
      />
    </Section>
  )
}

/** Asked first where a password would be lost; a new link takes nothing away. */
function useReset(onInvited: (invitation: AdminInvitation) => void) {
  const { mutate } = useMutation(resetAdmin())
  return ({ id, username, hasPassword }: Admin) => {
    const run = () =>
      mutate({ id }, { onSuccess: onInvited, onError: ({ message }) => toast(resetFailed(message)) })
    if (!hasPassword) return run()
    ask({
      question: resetQuestion(username),
      consequence: resetConsequence(username),
      action: { label: RESET, run },
    })
  }
}

function useRemoval() {
  const { mutate } = useMutation(removeAdmin())
  return ({ id, username }: Admin) =>
    ask({
      question: removeQuestion(username),
      consequence: removeConsequence(username),
      action: {
        label: REMOVE,
        run: () =>
          mutate(
            { id },
            {
              onSuccess: () => toast(REMOVED),
              onError: ({ message }) => toast(removeFailed(message)),
            },
          ),
      },
    })
}
