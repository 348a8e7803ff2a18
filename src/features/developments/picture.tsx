// A development's picture; an icon if it has none.
import { Image } from 'lucide-react'
import { Icon } from '#ui/primitives/icon.tsx'

export function Picture({ url, className }: { url: string | undefined; className: string }) {
  if (url === undefined)
    return (
      <span
        className={`inline-flex shrink-0 items-center justify-center rounded-sm bg-surface-3 text-text-3 ${className}`}
      >
        <Icon of={Image} size={18} />
      </span>
    )
  return <img src={url} alt="" loading="lazy" className={`shrink-0 rounded-sm object-cover ${className}`} />
}
