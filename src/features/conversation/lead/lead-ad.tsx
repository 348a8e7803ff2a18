// The advertisement that brought a lead: its title with a link, and Meta's ids.
import { Copy } from 'lucide-react'
import { copyText } from '#ui/clipboard.ts'
import { toast } from '#ui/feedback/toast.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { LINK, OUTSIDE } from '../message/message-text.tsx'
import type { LeadSheet } from './data.ts'

export function LeadAd({ ad: { title, clickId, adId, link } }: { ad: NonNullable<LeadSheet['ad']> }) {
  const headline = title ?? 'Anúncio sem título'
  return (
    <div className="col-span-full min-h-13 min-w-0">
      <dt className="text-13 text-text-3">Anúncio</dt>
      <dd className="text-16 wrap-anywhere">
        {link === null ? (
          headline
        ) : (
          <a href={link} {...OUTSIDE} className={LINK}>
            {headline}
          </a>
        )}
        {adId !== null && <CopiedId name="Anúncio" id={adId} />}
        {clickId !== null && <CopiedId name="Clique" id={clickId} />}
      </dd>
    </div>
  )
}

/** Shows the start of an id. The button copies the whole id. */
function CopiedId({ name, id }: { name: string; id: string }) {
  const copy = async () =>
    toast((await copyText(id)) ? `${name} copiado` : 'Não foi possível copiar.', 'info')
  return (
    <span className="flex min-w-0 items-center gap-1 text-13 text-text-2">
      <span className="shrink-0">{name}</span>
      <span className="min-w-0 truncate tabular-nums" title={id}>
        {id}
      </span>
      <IconButton
        icon={Copy}
        variant="quietSmall"
        label={`Copiar o id do ${name.toLowerCase()}`}
        onClick={() => void copy()}
      />
    </span>
  )
}
