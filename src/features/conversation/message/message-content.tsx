// A message's content by kind: text with safe links, media, contact cards, a location, or a neutral text.
import { Ban, Store, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { type ContactCard, KIND_LABEL, type Message, type SharedLocation } from '#domain/message/message.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { MediaPart } from './media-part.tsx'
import { LINK, MessageText, OUTSIDE } from './message-text.tsx'

type MessageContentProps = {
  message: Message
  /** Time and delivery mark: `stamp` follows the last line, `over` lies on a picture. */
  stamp: ReactNode
  over: ReactNode
}

export function MessageContent({ message, stamp, over }: MessageContentProps) {
  const { content, body } = message
  switch (content.kind) {
    case 'text':
      return (
        <>
          {content.isBusiness && <BusinessMark />}
          <MessageText body={body}>{stamp}</MessageText>
        </>
      )
    // Notes are rendered elsewhere, without a bubble.
    case 'note':
    case 'call':
      return null
    case 'deleted':
    case 'unsupported':
      return (
        <p className="flow-root text-text-2 italic">
          <Icon of={Ban} size={16} className="mr-1.5 inline-block align-[-0.125em]" />
          {KIND_LABEL[content.kind]}
          {stamp}
        </p>
      )
    case 'contact':
      return (
        <div className="flow-root">
          <Contacts contacts={content.contacts} />
          {stamp}
        </div>
      )
    case 'location':
      return (
        <>
          <PlaceCard place={content.place} />
          <p className="flow-root w-64 max-w-full px-2 pb-1 text-14 wrap-anywhere text-text-2">
            {content.place.address}
            {stamp}
          </p>
        </>
      )
    default: {
      const isPicture = content.kind === 'image' || content.kind === 'video'
      const isSaid = body !== ''
      const own = isSaid ? null : isPicture ? over : stamp
      return (
        <>
          <MediaPart messageId={message.id} kind={content.kind} media={content.media} stamp={own} />
          {isSaid && (
            <div className={isPicture ? 'w-64 max-w-full px-2 pt-1.5' : 'pt-1.5'}>
              <MessageText body={body}>{stamp}</MessageText>
            </div>
          )}
        </>
      )
    }
  }
}

const BusinessMark = () => (
  <p className="mb-0.5 flex items-center gap-1.25 text-13 text-text-3">
    <Icon of={Store} size={14} />
    Conta comercial
  </p>
)

function Contacts({ contacts }: { contacts: readonly ContactCard[] }) {
  return (
    <ul className="flex flex-col gap-2">
      {contacts.map(({ name, phones }, index) => (
        // The index is the key: cards have no id, and their order is fixed.
        <li key={index} className="flex gap-2.5">
          <Icon of={UserRound} className="mt-0.5 text-text-3" />
          <div className="min-w-0">
            <p className="font-semibold wrap-anywhere">{name || KIND_LABEL.contact}</p>
            {phones.map((phone) => (
              <a
                key={phone}
                href={`tel:+${phone}`}
                className={`flex min-h-11 items-center tabular-nums ${LINK}`}
              >
                {formatPhone(phone)}
              </a>
            ))}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The tile is drawn, because a map service would learn where the lead is. */
function PlaceCard({ place: { latitude, longitude, name, isLive } }: { place: SharedLocation }) {
  return (
    <a
      href={`https://www.google.com/maps/search/?api=1&query=${latitude},${longitude}`}
      {...OUTSIDE}
      title="Abrir no mapa"
      className="block w-64 max-w-full"
    >
      <svg viewBox="0 0 252 104" aria-hidden className="place-tile">
        <path d="M0 104V88q60-16 120-4t132-4v24z" className="place-water" />
        <path d="M152 0h70v20h-70z" className="place-park" />
        <path
          d="M0 30l252-24M0 70l252-22M24-4l18 80M64-4l28 92M176 100l14-104M118-4l14 60"
          className="place-street"
        />
        <path d="M126 68c-14-17-22-25-22-36a22 22 0 0 1 44 0c0 11-8 19-22 36z" className="place-pin" />
        <circle cx="126" cy="32" r="8" fill="#fff" />
      </svg>
      <span className="block px-2 pt-1.5 font-semibold wrap-anywhere">
        {name ?? (isLive ? 'Localização em tempo real' : KIND_LABEL.location)}
        <span className="sr-only">. Abrir no mapa</span>
      </span>
    </a>
  )
}
