// A person's picture, or the first letter of the name on a soft colour.
import { useState } from 'react'
import { classNames } from './class-names.ts'
import { hueOf } from './hue.ts'

const SIZE = {
  20: 'size-5 text-12',
  32: 'size-8 text-13',
  36: 'size-9 text-14',
  44: 'size-11 text-16',
}

type AvatarProps = {
  /** The person's name. If it is null, the avatar shows a figure instead of initials. */
  name: string | null
  pictureUrl?: string | null
  size: keyof typeof SIZE
  /** A dot at the bottom that tells whether something is on or off. If undefined, there is no dot. */
  dot?: 'on' | 'off' | undefined
}

/** Hidden from screen readers, because text beside it has the name and the dot's meaning. */
export function Avatar({ dot, ...face }: AvatarProps) {
  if (dot === undefined) return <Face {...face} />
  return (
    <span aria-hidden className="relative flex shrink-0">
      <Face {...face} />
      <span
        className={classNames(
          'absolute -right-0.5 -bottom-0.5 size-3 rounded-full border-2 border-bg',
          dot === 'on' ? 'bg-online' : 'bg-border-strong',
        )}
      />
    </span>
  )
}

export const initialOf = (name: string) => name.trim().charAt(0).toLocaleUpperCase('pt-BR')

/** Shows the first letter if the picture fails to load. */
function Face({ name, pictureUrl = null, size }: Omit<AvatarProps, 'dot'>) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  const box = classNames('shrink-0 rounded-full', SIZE[size])
  if (pictureUrl !== null && pictureUrl !== brokenUrl) {
    return (
      <img
        src={pictureUrl}
        alt=""
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        className={classNames(box, 'object-cover')}
        onError={() => setBrokenUrl(pictureUrl)}
      />
    )
  }
  const initial = name && initialOf(name)
  return (
    <span
      aria-hidden
      data-hue={hueOf(name?.trim() || 'new')}
      data-glyph={initial ? undefined : 'user'}
      className={classNames(
        box,
        'inline-flex items-center justify-center bg-hue-bg font-semibold text-hue-fg',
      )}
    >
      {initial}
    </span>
  )
}
