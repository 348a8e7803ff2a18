// The second step of 'Importar lista': sheets and columns, the leads' destination, and the result of the check.
import { FileSpreadsheet } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { displayName } from '#domain/broker.ts'
import { countOf } from '#domain/count.ts'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { CANCEL, CLOSE, ONLINE_ONLY } from '#ui/texts.ts'
import { DestinationField } from './destination-field.tsx'
import { Findings } from './findings.tsx'
import type { Checked } from './list-protocol.ts'
import { NamesCard } from './names-card.tsx'
import { withBinding, withMap, withTaken } from './plan.ts'
import { sentRows, watchSending } from './sending-data.ts'
import { SheetChips } from './sheet-chips.tsx'
import { SheetLines } from './sheet-lines.tsx'
import {
  BROKER_UNBOUND,
  BROKERS,
  COMPLETE_KNOWN,
  fileTitle,
  IMPORT,
  leftOutText,
  sentText,
  STAGES,
  stageUnbound,
} from './texts.ts'
import { type Chosen, useMapping } from './use-mapping.ts'

type MappingProps = {
  chosen: Chosen
  rotations: readonly { id: number; name: string }[]
  onBack: () => void
  onDone: () => void
}

const importCount = (count: number) => `Importar ${countOf(count, 'lead', 'leads')}`

export function Mapping({ chosen, rotations, onBack, onDone }: MappingProps) {
  const mapping = useMapping(chosen, onDone)
  const { choices, setChoices, checked, isBusy } = mapping
  const shown = choices.sheets[choices.shown]
  return (
    <div className="flex flex-col gap-4 px-1 lg:px-3">
      <p className="flex items-center gap-2 text-14 wrap-anywhere text-text-2">
        <Icon of={FileSpreadsheet} size={18} />
        <span className="min-w-0 grow">{fileTitle(chosen.file.name, mapping.total)}</span>
        <Button variant="line" size="small" disabled={isBusy} onClick={onBack}>
          Trocar arquivo
        </Button>
      </p>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0 overflow-hidden rounded-lg bg-surface shadow-line">
          <SheetChips
            choices={choices}
            isDisabled={isBusy}
            onTake={(index, isTaken) => setChoices((now) => withTaken(now, index, isTaken))}
            onShow={(index) => setChoices((now) => ({ ...now, shown: index }))}
          />
          {shown && (
            <SheetLines
              head={shown.head}
              map={shown.map}
              marks={checked?.marks.filter(({ sheet }) => sheet === choices.shown) ?? []}
              isDisabled={isBusy}
              onMap={(map) => setChoices((now) => withMap(now, map))}
              onHeader={mapping.setHeader}
            />
          )}
          <Legend />
          {checked && <Names mapping={mapping} checked={checked} />}
          <div className="grid gap-4 border-t border-border p-5 md:grid-cols-2">
            <DestinationField
              rotations={rotations}
              value={mapping.destination}
              isDisabled={isBusy}
              onChange={mapping.setDestination}
            />
            <TextField
              label="Empreendimento de quem não tem"
              value={mapping.development}
              maxLength={120}
              autoComplete="off"
              disabled={isBusy}
              onChange={({ target }) => mapping.setDevelopment(target.value)}
            />
          </div>
          <Foot
            good={mapping.good}
            known={mapping.known ?? 0}
            leftOut={mapping.leftOut}
            fault={mapping.fault}
            isReady={mapping.isReady}
            progress={isBusy ? <Progress id={chosen.id} total={mapping.total} /> : null}
            onClose={onDone}
            onSubmit={mapping.submit}
          />
        </div>
        {checked && (
          <Findings
            checked={checked}
            good={mapping.good}
            known={mapping.known}
            sheetName={(sheet) =>
              choices.sheets.length > 1 ? (choices.sheets[sheet]?.head.name ?? null) : null
            }
            areaCode={choices.areaCode}
            isDisabled={isBusy}
            onAreaCode={(areaCode) => setChoices((now) => ({ ...now, areaCode }))}
          />
        )}
      </div>
    </div>
  )
}

/** The names are listed above the button, so that the user sees each assignment before anything is written. */
function Names({ mapping, checked }: { mapping: ReturnType<typeof useMapping>; checked: Checked }) {
  const { ours, isBusy, setChoices } = mapping
  const bind = (kind: 'brokers' | 'stages') => (binding: { name: string; to: string }) =>
    setChoices((now) => withBinding(now, kind, binding))
  if (checked.brokers.length + checked.stages.length === 0) return null
  return (
    <div className="grid items-start gap-4 border-t border-border p-5 md:grid-cols-2">
      <NamesCard
        title={BROKERS}
        names={checked.brokers}
        options={ours.brokers.map((value) => ({ value, label: displayName(value) }))}
        unbound={BROKER_UNBOUND}
        isDisabled={isBusy}
        onChange={bind('brokers')}
      />
      <NamesCard
        title={STAGES}
        names={checked.stages}
        options={ours.stages.map(({ slug, name }) => ({ value: slug, label: name }))}
        unbound={stageUnbound(ours.stages.find(({ slug }) => slug === 'new')?.name ?? 'Novos Contatos')}
        isDisabled={isBusy}
        onChange={bind('stages')}
      />
    </div>
  )
}

function Legend() {
  return (
    <p aria-hidden className="flex flex-wrap gap-x-5 gap-y-1 px-5 py-3 text-13 text-text-2">
      <span className="flex items-center gap-2">
        <span className="size-3 rounded-sm bg-sun-soft shadow-line" /> Dois telefones ou texto junto
      </span>
      <span className="flex items-center gap-2">
        <span className="size-3 rounded-sm bg-danger-soft shadow-line" /> Não entra
      </span>
    </p>
  )
}

function Progress({ id, total }: { id: string; total: number }) {
  const sent = useSyncExternalStore(watchSending, () => sentRows(id)) ?? 0
  return (
    <div className="flex flex-col gap-1.5 text-13 text-text-2 tabular-nums">
      {sentText(sent, total)}
      <ProgressBar label={IMPORT} ratio={sent / Math.max(1, total)} />
    </div>
  )
}

type FootProps = {
  good: number
  known: number
  leftOut: number
  fault: string | null
  isReady: boolean
  /** The progress bar, shown during the upload. */
  progress: ReactNode
  onClose: () => void
  onSubmit: () => void
}

function Foot({ good, known, leftOut: lines, fault, isReady, progress, onClose, onSubmit }: FootProps) {
  const isOnline = useIsOnline()
  return (
    <div className="flex flex-col gap-3 border-t border-border p-5">
      <p className="text-13 leading-body text-text-3">
        Ninguém recebe mensagem, oferta ou aviso. Quem já é lead continua onde está. Dá para desfazer em 24
        horas.
        {lines > 0 && ` ${leftOutText(lines)}`}
      </p>
      {progress}
      <p role="alert" className="text-13 text-danger empty:hidden">
        {fault}
      </p>
      {!isOnline && <p className="text-13 text-text-3">{ONLINE_ONLY}</p>}
      <div className="grid grid-cols-2 gap-2 md:flex md:justify-end">
        <Button variant="line" onClick={onClose}>
          {progress ? CLOSE : CANCEL}
        </Button>
        <Button
          disabled={!isOnline || !isReady || good === 0}
          busy={progress && 'Enviando...'}
          onClick={onSubmit}
        >
          {good > 0 && known === good ? COMPLETE_KNOWN : importCount(good - known)}
        </Button>
      </div>
    </div>
  )
}
