// The one-time link of a first access, shown once and copied. PRODUCT.md 3, FIRST_ACCESS.
import { Check, Copy } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import type { Invitation } from '#data/brokers.ts'
import { displayName } from '#domain/broker.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { COPIED, COPY, COPY_FAILED, DONE, INVITE_TITLE, inviteHint } from './texts.ts'

type InviteDialogProps = { invitation: Invitation | null; onClose: () => void }

export function InviteDialog({ invitation, onClose }: InviteDialogProps) {
  return (
    <Dialog isOpen={invitation !== null} onClose={onClose} title={INVITE_TITLE}>
      {invitation && <Invite invitation={invitation} onClose={onClose} />}
    </Dialog>
  )
}

function Invite({
  invitation: { instanceName, link },
  onClose,
}: {
  invitation: Invitation
  onClose: () => void
}) {
  const [copying, setCopying] = useState<'no' | 'done' | 'failed'>('no')
  const hintId = useId()
  const copy = async () => setCopying((await copyText(link)) ? 'done' : 'failed')
  // A browser that lets no page copy unasked leaves it to the button.
  useEffect(() => {
    let isHere = true
    void copyText(link).then((isCopied) => isHere && isCopied && setCopying('done'))
    return () => {
      isHere = false
    }
  }, [link])
  return (
    <div className="flex flex-col gap-4 px-3 pt-1">
      <p id={hintId} className="leading-body text-text-2">
        {inviteHint(displayName(instanceName))}
      </p>
      <input
        readOnly
        value={link}
        aria-label={INVITE_TITLE}
        aria-describedby={hintId}
        onFocus={(event) => event.target.select()}
        className="min-h-12 w-full min-w-0 rounded-md bg-surface-2 px-4 text-14 text-text shadow-input outline-none focus:shadow-input-focus"
      />
      <output className="block text-13 text-text-2 empty:hidden">
        {copying === 'failed' ? COPY_FAILED : copying === 'done' ? `${COPIED}.` : null}
      </output>
      <div className="grid grid-cols-2 gap-2">
        <Button variant="line" onClick={onClose}>
          {DONE}
        </Button>
        <Button icon={copying === 'done' ? Check : Copy} onClick={() => void copy()}>
          {COPY}
        </Button>
      </div>
    </div>
  )
}

/** Pages that came over plain http from another machine have no clipboard. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
