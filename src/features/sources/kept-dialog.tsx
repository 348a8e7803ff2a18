// 'Ler de novo o que chegou': shows what the current rules would change in the leads of thirty days, and changes it
// after a confirmation.
import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { countOf } from '#domain/count.ts'
import { formatDate, formatHour } from '#domain/format.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { State } from '#ui/feedback/state.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { keptChangesQuery, type KeptChange, mendKept, type Mended, type Told } from './kept-data.ts'
import { CHANGE_FAILED } from './texts.ts'

const LABELS: Record<keyof Told, string> = {
  name: 'Nome',
  number: 'Telefone',
  email: 'E-mail',
  message: 'Mensagem',
  listing: 'Código',
  campaign: 'Campanha',
  development: 'Empreendimento',
}
const WHATS = Object.keys(LABELS) as (keyof Told)[]

/** For example '3 leads corrigidos; 1 ficou como estava, porque já houve conversa pelo número de antes.' */
export function mendedText({ mended, spoken }: Mended): string {
  const done = countOf(mended, 'lead corrigido', 'leads corrigidos')
  if (spoken === 0) return done
  const left = spoken === 1 ? '1 ficou como estava' : `${spoken} ficaram como estavam`
  return `${done}; ${left}: já houve conversa pelo número de antes.`
}

export function KeptDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Ler de novo o que chegou"
      subtitle="Últimos 30 dias, com a leitura de hoje"
      width="wide"
    >
      {isOpen && <Changes onClose={onClose} />}
    </Dialog>
  )
}

function Changes({ onClose }: { onClose: () => void }) {
  const read = useQuery(keptChangesQuery())
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const { mutate, isPending } = useMutation({
    ...mendKept(),
    onSuccess: (mended) => {
      toast(mendedText(mended), mended.spoken > 0 ? 'info' : 'success')
      onClose()
    },
    onError: () => toast(CHANGE_FAILED, 'error'),
  })
  const { data: changes } = read
  if (!changes) return read.error ? <FailedRead of={read} /> : <Skeleton className="mx-3 h-60 rounded-md!" />
  if (changes.length === 0)
    return (
      <State
        kind="empty"
        icon={CircleCheck}
        title="Nada mudaria"
        hint="Tudo o que chegou já está lido assim."
      />
    )
  const ids = changes.filter(({ id }) => !left.has(id)).map(({ id }) => id)
  const toggle = (id: number) =>
    setLeft((now) => new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id]))
  return (
    <div className="flex flex-col gap-4 px-3">
      <ul className="flex max-h-[55dvh] flex-col overflow-y-auto">
        {changes.map((change) => (
          <ChangeRow
            key={change.id}
            change={change}
            isChosen={!left.has(change.id)}
            onToggle={() => toggle(change.id)}
          />
        ))}
      </ul>
      <Button disabled={ids.length === 0} busy={isPending && 'Corrigindo...'} onClick={() => mutate(ids)}>
        {`Corrigir ${countOf(ids.length, 'entrega', 'entregas')}`}
      </Button>
    </div>
  )
}

type ChangeRowProps = { change: KeptChange; isChosen: boolean; onToggle: () => void }

function ChangeRow({ change: { keyName, receivedAtMs, leads }, isChosen, onToggle }: ChangeRowProps) {
  return (
    <li className="py-3 shadow-[0_1px_0_var(--color-border)]">
      <label className="flex items-start gap-3">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={onToggle}
          className="mt-1 size-4.5 shrink-0 accent-primary"
        />
        <span className="min-w-0 grow text-14">
          <strong className="font-medium wrap-anywhere">{keyName}</strong>
          <span className="text-text-3 tabular-nums">
            {` · ${formatDate(receivedAtMs)}, ${formatHour(receivedAtMs)}`}
          </span>
          {leads.map(({ before, after }, at) => (
            // The leads of one delivery have no id of their own, so their index is the key.
            <span key={at} className="mt-1 block">
              {before === null && <span className="block text-on-success-soft">Lead novo</span>}
              {WHATS.filter((what) => (before?.[what] ?? null) !== after[what]).map((what) => (
                <span key={what} className="block wrap-anywhere">
                  <span className="text-text-3">{`${LABELS[what]}: `}</span>
                  {before !== null && before[what] !== null && (
                    <s className="text-text-3">{`${shown(what, before[what])} `}</s>
                  )}
                  {shown(what, after[what])}
                </span>
              ))}
            </span>
          ))}
        </span>
      </label>
    </li>
  )
}

const shown = (what: keyof Told, text: string | null) =>
  text === null ? 'nenhum' : what === 'number' ? formatPhone(text) : text
