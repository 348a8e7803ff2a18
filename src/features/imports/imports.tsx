// Lists the imports with their progress, and a button for a new one. Its dialog's code loads on demand.
import { formatNumber } from '#domain/count.ts'
import { displayName } from '#domain/broker.ts'
import { formatDay } from '#domain/format.ts'
import { formatHour } from '#domain/format.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { FileUp, Sheet } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { ask } from '#ui/feedback/ask.ts'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { download } from '#ui/download.ts'
import { lazily } from '#ui/lazily.ts'
import { useNow } from '#ui/now.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { type Import, importsQuery, refusedRows, stopImport, undoImport } from './data.ts'
import type { ImportDialogProps } from './import-dialog.tsx'
import { IMPORT, importState, INBOX } from './texts.ts'

/** Progress from 0 to 1; null if the import is not running. */
function importRatio({
  state,
  total,
  received,
  added,
  known,
  refused,
  undone,
  leftIn,
}: Import): number | null {
  if (state === 'receiving') return received / total
  if (state === 'running') return (added + known + refused) / total
  return state === 'undoing' ? (undone + leftIn) / Math.max(1, added) : null
}

/** For example 'Camila · hoje, 09:41'. */
function importWhere({ destination, instanceName, rotation, createdAtMs }: Import, nowMs: number): string {
  const where =
    destination === 'broker'
      ? instanceName === null
        ? 'Corretor removido'
        : displayName(instanceName)
      : destination === 'rotation'
        ? `Roleta ${rotation ?? 'removida'}`
        : INBOX
  return `${where} · ${formatDay(createdAtMs, nowMs).toLowerCase()}, ${formatHour(createdAtMs)}`
}

const undoConsequence = (count: number) =>
  `Saem os leads dela que ninguém atendeu, moveu ou editou: até ${formatNumber(count)}. Os outros ficam.`

const UNDO = 'Desfazer'

const STOP = 'Parar'

const LISTS = 'Listas importadas'

const dialog = lazily<ImportDialogProps>(async () => (await import('./import-dialog.tsx')).ImportDialog)
const DAY_MS = 24 * 60 * 60_000

type ImportButtonProps = Pick<ImportDialogProps, 'rotations'>

export function ImportButton({ rotations }: ImportButtonProps) {
  const isOnline = useIsOnline()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="line"
        icon={FileUp}
        disabled={!isOnline}
        title={isOnline ? undefined : ONLINE_ONLY}
        onClick={() => dialog.open(() => setOpen(true))}
      >
        {IMPORT}
      </Button>
      {dialog.isHere() && (
        <dialog.Component isOpen={isOpen} rotations={rotations} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

export function ImportList() {
  const { data: imports = [] } = useQuery(importsQuery())
  if (imports.length === 0) return null
  return (
    <section aria-label={LISTS} className="mt-4 overflow-hidden rounded-lg bg-surface shadow-card">
      <div className="flex items-center gap-3 px-5 py-3">
        <Icon of={Sheet} size={20} className="text-text-3" />
        <h2 className="text-15 font-semibold">{LISTS}</h2>
      </div>
      <ul>
        {imports.map((one) => (
          <ImportRow key={one.id} one={one} />
        ))}
      </ul>
    </section>
  )
}

function ImportRow({ one }: { one: Import }) {
  const nowMs = useNow()
  const ratio = importRatio(one)
  const state = importState(one)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-5 py-2.5 shadow-[0_-1px_0_var(--color-border)]">
      <span className="min-w-44 grow basis-0 text-14 md:max-w-80 md:min-w-80">
        <strong className="block font-medium wrap-anywhere">{one.fileName}</strong>
        <span className="text-13 text-text-3 tabular-nums">{importWhere(one, nowMs)}</span>
      </span>
      <span className="flex min-w-44 grow-[2] basis-0 flex-col gap-1.5 text-14 text-text-2 tabular-nums">
        {state}
        {ratio !== null && <ProgressBar label={one.fileName} ratio={ratio} />}
      </span>
      <Deeds one={one} nowMs={nowMs} />
    </li>
  )
}

function Deeds({ one, nowMs }: { one: Import; nowMs: number }) {
  const { id, fileName, state, refused, added, endedAtMs } = one
  const isOnline = useIsOnline()
  const onError = ({ message }: Error) => toast(message || 'Não foi possível. Tente de novo.', 'error')
  const stop = useMutation({ ...stopImport(id), onError })
  const undo = useMutation({ ...undoImport(id), onError })
  const file = useMutation({
    ...refusedRows(id),
    onSuccess: (rows) =>
      download(`recusadas-${fileName.replace(/\.\w+$/, '')}.csv`, rows, 'text/csv;charset=utf-8'),
    onError,
  })
  const isEnded = state === 'finished' || state === 'stopped'
  const deeds = [
    state === 'receiving' && { label: 'Descartar', run: () => stop.mutate(null) },
    state === 'running' && {
      label: STOP,
      run: () =>
        ask({
          question: 'Parar a importação?',
          consequence: 'Os leads que já entraram ficam. O resto da lista não entra.',
          action: { label: STOP, run: () => stop.mutate(null) },
        }),
    },
    refused > 0 && { label: 'Baixar recusadas', run: () => file.mutate() },
    isEnded &&
      added > 0 &&
      endedAtMs !== null &&
      nowMs - endedAtMs < DAY_MS && {
        label: UNDO,
        run: () =>
          ask({
            question: 'Desfazer esta importação?',
            consequence: undoConsequence(added),
            action: { label: UNDO, run: () => undo.mutate(null) },
          }),
      },
  ].filter((deed) => deed !== false)
  return (
    <span className="flex flex-wrap gap-2 empty:hidden">
      {deeds.map(({ label, run }) => (
        <Button
          key={label}
          variant="line"
          size="small"
          aria-label={`${label}: ${fileName}`}
          disabled={!isOnline || stop.isPending || undo.isPending || file.isPending}
          onClick={run}
        >
          {label}
        </Button>
      ))}
    </span>
  )
}
