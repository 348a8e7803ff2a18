// The menu of a message, and the sheets that it opens: forward, edit.
import { Suspense, useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { lazily } from '#ui/lazily.ts'
import { MessageMenu, type OpenMessageMenu } from './message-menu.tsx'

const sheets = {
  edit: lazily(async () => (await import('./edit-sheet.tsx')).EditSheet),
  forward: lazily(async () => (await import('./forward-sheet.tsx')).ForwardSheet),
}

type MessageDeedsProps = {
  contactId: number
  lead: Lead | undefined
  menu: OpenMessageMenu | null
  onClose: () => void
  /** Undefined if the reader cannot write here. */
  onAnswer: ((message: Message) => void) | undefined
  /** False if the reader has no leads to forward a message to. */
  canForward: boolean
}

export function MessageDeeds({ lead, onAnswer, canForward, ...menu }: MessageDeedsProps) {
  // Once opened, a sheet stays mounted while closed, so that focus returns to the button that opened it.
  const [opened, setOpened] = useState<Partial<Record<keyof typeof sheets, Message | null>>>({})
  const opener = (sheet: keyof typeof sheets) => (message: Message) =>
    sheets[sheet].open(() => setOpened({ ...opened, [sheet]: message }))
  return (
    <>
      <MessageMenu
        lead={lead}
        onAnswer={onAnswer}
        onEdit={onAnswer && opener('edit')}
        onForward={lead && canForward ? opener('forward') : undefined}
        {...menu}
      />
      <Suspense>
        {lead &&
          (['edit', 'forward'] as const).map((sheet) => {
            const { Component } = sheets[sheet]
            const message = opened[sheet]
            const close = () => setOpened({ ...opened, [sheet]: null })
            return (
              message !== undefined && <Component key={sheet} lead={lead} message={message} onClose={close} />
            )
          })}
      </Suspense>
    </>
  )
}
