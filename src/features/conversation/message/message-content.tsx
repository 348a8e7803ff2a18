// What a line carries, by kind: text with safe links, media, contact cards, a place, or a neutral word.
import { Ban, MapPin, UserRound } from 'lucide-react'
import { type ContactCard, KIND_LABEL, type Message, type Place, textPieces } from '#domain/message.ts'
import { formatPhone } from '#domain/phone.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { MediaPart } from './media-part.tsx'
import { LIVE_LOCATION, OPEN_MAP } from '../texts.ts'

const LINK = 'font-medium text-on-primary-soft underline underline-offset-2'
/** Nothing of the portal goes along to a stranger's page. */
const OUTSIDE = { target: '_blank', rel: 'noopener noreferrer nofollow' }

export function MessageContent({ message }: { message: Message }) {
  const { content, body } = message
  switch (content.kind) {
    case 'text':
      return <Text body={body} />
    case 'deleted':
    case 'unsupported':
      return (
        <p className="flex items-start gap-1.5 text-text-2 italic">
          <Icon of={Ban} size={16} className="mt-0.75" />
          {KIND_LABEL[content.kind]}
        </p>
      )
    case 'contact':
      return <Contacts contacts={content.contacts} />
    case 'location':
      return <PlaceCard place={content.place} />
    default:
      return (
        <>
          <MediaPart messageId={message.id} kind={content.kind} media={content.media} />
          {body !== '' && (
            <div className={content.kind === 'image' || content.kind === 'video' ? 'px-2 pt-1.5' : 'pt-1.5'}>
              <Text body={body} />
            </div>
          )}
        </>
      )
  }
}

function Text({ body }: { body: string }) {
  return (
    <p className="wrap-anywhere whitespace-pre-wrap">
      {textPieces(body).map(({ text, href }, index) =>
        href === null ? (
          text
        ) : (
          // The pieces of a text stay in their places.
          <a key={index} href={href} {...OUTSIDE} className={LINK}>
            {text}
          </a>
        ),
      )}
    </p>
  )
}

function Contacts({ contacts }: { contacts: readonly ContactCard[] }) {
  return (
    <ul className="flex flex-col gap-2">
      {contacts.map(({ name, phones }, index) => (
        // Cards have no id, and keep their order.
        <li key={index} className="flex gap-2.5">
          <Icon of={UserRound} className="mt-0.5 text-text-3" />
          <div className="min-w-0">
            <p className="font-semibold wrap-anywhere">{name || KIND_LABEL.contact}</p>
            {phones.map((phone) => (
              <a key={phone} href={`tel:+${phone}`} className={`block tabular-nums ${LINK}`}>
                {formatPhone(phone)}
              </a>
            ))}
          </div>
        </li>
      ))}
    </ul>
  )
}

function PlaceCard({ place: { latitude, longitude, name, address, isLive } }: { place: Place }) {
  return (
    <div className="flex gap-2.5">
      <Icon of={MapPin} className="mt-0.5 text-text-3" />
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">
          {name ?? (isLive ? LIVE_LOCATION : KIND_LABEL.location)}
        </p>
        {address && <p className="text-13 wrap-anywhere text-text-2">{address}</p>}
        <a
          href={`https://www.google.com/maps/search/?api=1&query=${latitude},${longitude}`}
          {...OUTSIDE}
          className={LINK}
        >
          {OPEN_MAP}
        </a>
      </div>
    </div>
  )
}
