// Lists the captions of the chosen material as they will be sent; a press opens them for editing.
import { Pencil } from 'lucide-react'
import { useId, useState } from 'react'
import { MAX_CAPTION } from '#domain/message/outgoing.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import type { Chosen } from './use-choice.ts'

type CaptionsProps = { things: readonly Chosen[]; onWrite: (key: string, text: string) => void }

/** WhatsApp shows no caption below a location. */
const isCaptioned = ({ choice }: Chosen) => choice.kind !== 'place'

export function Captions({ things, onWrite }: CaptionsProps) {
  const [isOpen, setOpen] = useState(false)
  const own = things.filter(isCaptioned)
  const first = own.find(({ text }) => text !== '')
  if (own.length === 0) return null
  if (!isOpen)
    return (
      <button type="button" onClick={() => setOpen(true)} className="material-caption">
        <span className="truncate">{first ? first.text.replaceAll('\n', ' · ') : 'Sem legenda'}</span>
        <Icon of={Pencil} size={16} className="shrink-0" />
        <span className="sr-only">Editar legenda</span>
      </button>
    )
  return (
    <div className="material-captions">
      {own.map(({ choice: { key, label }, text }) => (
        <CaptionField
          key={key}
          label={`Legenda: ${label}`}
          text={text}
          onWrite={(written) => onWrite(key, written)}
        />
      ))}
    </div>
  )
}

type CaptionFieldProps = { label: string; text: string; onWrite: (text: string) => void }

function CaptionField({ label, text, onWrite }: CaptionFieldProps) {
  const id = useId()
  // Holds the text with its spaces; only sending trims the caption.
  const [typed, setTyped] = useState(text)
  return (
    <div>
      <label htmlFor={id} className="text-13 text-text-2">
        {label}
      </label>
      <textarea
        id={id}
        rows={Math.min(6, Math.max(1, typed.split('\n').length))}
        value={typed}
        maxLength={MAX_CAPTION}
        onChange={({ target }) => {
          setTyped(target.value)
          onWrite(target.value)
        }}
      />
    </div>
  )
}
