// Quick replies in the composer: the strip above the box, and the sheet with all of them.
import { Suspense, useState } from 'react'
import type { QuickReply } from '#domain/message/quick-reply.ts'
import { lazily } from '#ui/lazily.ts'
import { QuickReplyStrip } from './quick-reply-strip.tsx'

const all = lazily(async () => (await import('./quick-replies-dialog.tsx')).QuickRepliesDialog)

type QuickRepliesProps = {
  /** The text in the box. */
  text: string
  isShown: boolean
  onPick: (reply: QuickReply) => void
}

export function QuickReplies({ text, isShown, onPick }: QuickRepliesProps) {
  // Once opened, the sheet stays mounted while closed, so that focus returns to the button that opened it.
  const [sheet, setSheet] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <>
      {isShown && (
        <QuickReplyStrip text={text} onPick={onPick} onEdit={() => all.open(() => setSheet('open'))} />
      )}
      <Suspense>
        {sheet !== 'never' && (
          <all.Component isOpen={sheet === 'open'} onClose={() => setSheet('closed')} onPick={onPick} />
        )}
      </Suspense>
    </>
  )
}
