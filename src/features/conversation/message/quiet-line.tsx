// Lines without a bubble: a call with a button to return it, and WhatsApp's notes.
import { Info, Phone as PhoneSign, PhoneMissed, Pin } from 'lucide-react'
import { use } from 'react'
import { formatHour } from '#domain/format.ts'
import { spanWords } from '#domain/lead/path.ts'
import type { Call, Message, Note } from '#domain/message/message.ts'
import { noteWords } from '#domain/message/note-words.ts'
import { digitsOf } from '#domain/phone/phone.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { Phone } from '../ground/reader.ts'
import { CALL_BACK } from '../ground/texts.ts'

export function QuietLine({ message, name }: { message: Message; name: string }) {
  const { content, sentAtSeconds } = message
  const hour = formatHour(sentAtSeconds * 1000)
  if (content.kind === 'call') return <CallLine call={content.call} hour={hour} />
  return content.kind === 'note' ? <NoteLine note={content.note} name={name} hour={hour} /> : null
}

function CallLine({ call, hour }: { call: Call; hour: string }) {
  const number = use(Phone)
  const isMissed = !call.isAnswered
  const words = call.isVideo ? 'Ligação de vídeo' : 'Ligação'
  return (
    <div className="quiet-line">
      <p className="quiet-call text-14 text-text-2" data-missed={isMissed || undefined}>
        <Icon of={isMissed ? PhoneMissed : PhoneSign} size={18} />
        <span className="min-w-0">
          {isMissed ? `${words} perdida` : words}
          {call.seconds !== null && ` · ${spanWords(call.seconds)}`} · <time>{hour}</time>
        </span>
        {isMissed && number !== null && (
          <a href={`tel:+${digitsOf(number)}`} className="font-semibold text-on-primary-soft">
            {CALL_BACK}
          </a>
        )}
      </p>
    </div>
  )
}

const SIGN: Readonly<Record<string, typeof Pin>> = { pinInChatMessage: Pin }

function NoteLine({ note, name, hour }: { note: Note; name: string; hour: string }) {
  return (
    <p className="quiet-line text-13 text-text-2">
      <Icon of={SIGN[note.name] ?? Info} size={14} className="shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {noteWords(note, name)} · <time>{hour}</time>
      </span>
    </p>
  )
}
