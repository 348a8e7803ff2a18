// A message to the lead about a visit: it can be switched off, and its text edited.
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { MAX_TEXT } from '#domain/message/outgoing.ts'
import { momentWords } from '#domain/next-action/words.ts'
import { Switch } from '#ui/forms/switch.tsx'
import { useNow } from '#ui/now.ts'
import { Icon } from '#ui/primitives/icon.tsx'

type NoticeTextProps = {
  label: string
  /** What the text is called on the page. */
  name: string
  atMs?: number | undefined
  /** Why the message may not be sent; null if it may. */
  reason: string | null
  isOn: boolean
  onChange: (isOn: boolean) => void
  text: string
  onText: (text: string) => void
}

export function NoticeText({ label, name, atMs, reason, isOn, onChange, text, onText }: NoticeTextProps) {
  const nowMs = useNow()
  const [isEdited, setEdited] = useState(false)
  const isSaid = isOn && reason === null
  const when = atMs === undefined ? undefined : momentWords(atMs, nowMs)
  const hint = reason ?? when
  return (
    <div className="py-1">
      <Switch
        label={label}
        {...(hint !== undefined && { hint })}
        isOn={isSaid}
        isDisabled={reason !== null}
        onChange={onChange}
      />
      {isSaid && (
        <div className="mx-3 mb-2 rounded-card bg-chat-bg p-2.5">
          {isEdited ? (
            <textarea
              aria-label={name}
              value={text}
              maxLength={MAX_TEXT}
              rows={2}
              onChange={({ target }) => onText(target.value)}
              className="block field-sizing-content max-h-40 w-full resize-none rounded-card rounded-br-sm bg-bubble-out px-3 py-2 text-16 leading-message text-on-bubble-out lg:text-15"
            />
          ) : (
            <button
              type="button"
              onClick={() => setEdited(true)}
              className="flex w-full items-end gap-2 rounded-card rounded-br-sm bg-bubble-out px-3 py-2 text-left text-15 leading-message text-on-bubble-out"
            >
              <span className="grow wrap-anywhere">{text}</span>
              <Icon of={Pencil} size={18} className="mb-0.5 text-primary" />
            </button>
          )}
        </div>
      )}
    </div>
  )
}
