// Says that the lead opted out of campaigns; an administrator may undo it.
import { useMutation } from '@tanstack/react-query'
import { undoOptOut } from '#data/campaign-rules.ts'
import { useSession } from '#data/session.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { ALLOW, ALLOW_FAILED, allowed, allowQuestion, OPTED_OUT } from '#domain/opt-out-texts.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { toast } from '#ui/feedback/toast.ts'

export function OptedOut({ lead }: { lead: Lead }) {
  const session = useSession()
  const name = leadTitle(lead)
  // The hook's callbacks run even if the conversation was closed meanwhile; those of a `mutate` call would not.
  const { mutate, isPending } = useMutation({
    ...undoOptOut(),
    onSuccess: (_answer, person) => toast(allowed(leadTitle(person)), 'success'),
    onError: () => toast(ALLOW_FAILED, 'error'),
  })
  const mayUndo = session.status === 'in' && session.user.role === 'admin'
  const run = () => mutate({ ...lead, contactId: lead.id })
  return (
    <p className="flex flex-wrap items-center gap-x-1 pt-1">
      <Badge tone="neutral">{OPTED_OUT}</Badge>
      {mayUndo && (
        <button
          type="button"
          aria-disabled={isPending}
          onClick={() => ask(allowQuestion(name, run))}
          className="-my-2 min-h-11 rounded-md px-2 text-13 font-semibold text-primary"
        >
          {ALLOW}
        </button>
      )}
    </p>
  )
}
