// A development's small picture; an icon if it has none.
import { Image } from 'lucide-react'
import { Icon } from '#ui/primitives/icon.tsx'
import type { Pictures } from './use-pictures.ts'

type PictureProps = { fileId: number | null | undefined; pictures: Pictures; look?: string }

export function Picture({ fileId, pictures, look = 'material-cover' }: PictureProps) {
  const url = pictures.of(fileId)
  if (url === undefined || fileId === null || fileId === undefined)
    return (
      <span className={`${look} inline-flex items-center justify-center text-text-3`}>
        <Icon of={Image} size={20} />
      </span>
    )
  return (
    <img src={url} alt="" loading="lazy" onLoad={pictures.keep(fileId)} className={`${look} object-cover`} />
  )
}
