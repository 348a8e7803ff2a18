// A message's content by kind: text with safe links, media, contact cards, a location, or a neutral text.
import { Ban, MapPin, Store, UserRound } from 'lucide-react'
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
        <div className="flow-root">
          <PlaceCard place={content.place} />
          {stamp}
        </div>
      )
    default: {
      const isPicture = content.kind === 'image' || content.kind === 'video'
      const isSaid = body !== ''
      const own = isSaid ? null : isPicture ? over : stamp
      return (
        <>
          <MediaPart messageId={message.id} kind={content.kind} media={content.media} stamp={own} />
          {isSaid && (
            <div className={isPicture ? 'px-2 pt-1.5' : 'pt-1.5'}>
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

function PlaceCard({ place: { latitude, longitude, name, address, isLive } }: { place: SharedLocation }) {
  return (
    <div className="flex gap-2.5">
      <Icon of={MapPin} className="mt-0.5 text-text-3" />
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">
          {name ?? (isLive ? 'Localização em tempo real' : KIND_LABEL.location)}
        </p>
        {address && <p className="text-13 wrap-anywhere text-text-2">{address}</p>}
        <a
          href={`https://www.google.com/maps/search/?api=1&query=${latitude},${longitude}`}
          {...OUTSIDE}
          className={`inline-flex min-h-11 items-center ${LINK}`}
        >
          Abrir no mapa
        </a>
      </div>
    </div>
  )
}
