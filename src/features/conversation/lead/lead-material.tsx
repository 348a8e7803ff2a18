// 'Material enviado': the files of developments that the lead got, and when. Files that still wait come first.
import { Building2 } from 'lucide-react'
import { Icon } from '#ui/primitives/icon.tsx'
import type { SentMaterial } from './data.ts'
import { momentOf } from './texts.ts'

type LeadMaterialProps = { sent: readonly (SentMaterial & { isWaiting?: true })[]; nowMs: number }

export function LeadMaterial({ sent, nowMs }: LeadMaterialProps) {
  if (sent.length === 0) return null
  return (
    <section aria-label="Material enviado" className="border-t border-border py-3">
      <h3 className="text-13 text-text-3">Material enviado</h3>
      <ul>
        {sent.map(({ id, development, label, at, isWaiting }) => (
          <li key={id} className="flex min-h-11 items-center gap-3">
            <Icon of={Building2} size={18} className="text-text-2" />
            <span className="min-w-0 grow wrap-anywhere">{`${label} · ${development}`}</span>
            <span className="shrink-0 text-13 text-text-3 tabular-nums">
              {isWaiting ? 'na fila' : momentOf(at * 1000, nowMs)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
