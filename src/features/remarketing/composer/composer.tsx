// The form that writes a campaign: recipients, text and time.
import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { chooseCampaignFile, missCampaignFile, useCampaignFile } from './campaign-file-data.ts'
import { candidatesQuery } from '../campaigns-data.ts'
import type { Board } from '#data/board/rows.ts'
import { useBusy } from '#ui/busy.ts'
import { Button } from '#ui/primitives/button.tsx'
import { useNow } from '#ui/now.ts'
import { SelectField } from '#ui/forms/select-field.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { audienceOf, developmentsIn, longestText, mostLetters } from './composer-rules.ts'
import { ContactList } from './contact-list.tsx'
import { FileCard } from './file-card.tsx'
import { MessageField } from './message-field.tsx'
import { Preview } from './preview.tsx'
import { StageField } from './stage-field.tsx'
import { StartBar } from './start-bar.tsx'
import { RULES } from '../texts.ts'
import { useCampaignDraft } from './use-campaign-draft.ts'
import { useCampaignStart } from './use-campaign-start.ts'
import { WhenField } from './when-field.tsx'

const NEW_CAMPAIGN = 'Nova campanha'

type ComposerProps = { instanceName: string; board: Board; onRules: () => void }

export function Composer({ instanceName, board, onRules }: ComposerProps) {
  const handle = useCampaignDraft()
  const { draft, change } = handle
  const { message, startsAt, marks } = draft
  // If the chosen stage was deleted meanwhile, no stage is chosen.
  const stageSlug = board.stages.some(({ slug }) => slug === draft.stageSlug) ? draft.stageSlug : ''
  const file = useCampaignFile()
  useEffect(() => void missCampaignFile(), [])
  const nowMs = useNow()
  const { developments, development } = useInterests(board, stageSlug, draft.development)
  const { audience, pacing, isLoading } = useAudience(instanceName, board, { stageSlug, development })
  const skipped = useMemo(() => new Set(draft.skipped), [draft.skipped])
  const chosen = useMemo(() => audience.may.filter(({ id }) => !skipped.has(id)), [audience.may, skipped])
  const textLength = useMemo(() => longestText(message, chosen), [message, chosen])
  const most = mostLetters(file.file !== null)
  const start = useCampaignStart({
    instanceName,
    handle,
    stageSlug,
    stageName: board.stages.find(({ slug }) => slug === stageSlug)?.name ?? '',
    chosen,
    pacing,
    isLoading,
    textLength,
    file,
    nowMs,
  })
  useFileKept(file.file !== null || file.isPreparing)

  return (
    <section
      aria-label={NEW_CAMPAIGN}
      className="grid gap-4 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:items-start lg:gap-x-8"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-3 lg:col-span-2">
        <h1 className="text-26 font-title tracking-heading lg:text-24">{NEW_CAMPAIGN}</h1>
        <span className="-mx-2 flex whitespace-nowrap">
          <Button variant="ghost" size="small" icon={SlidersHorizontal} onClick={onRules}>
            {RULES}
          </Button>
        </span>
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <StageField
          board={board}
          slug={stageSlug}
          onSlug={(slug) => change({ stageSlug: slug, development: '', skipped: [] })}
        />
        <InterestField
          names={developments}
          value={development}
          onChoose={(name) => change({ development: name, skipped: [] })}
        />
        <MessageField
          text={message}
          onText={(text) => change({ message: text })}
          onFile={(chosenFile) => void chooseCampaignFile(chosenFile)}
          most={textLength > most ? most : null}
        />
        <FileCard file={file} />
        <Preview leads={chosen} message={message} file={file} />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        {stageSlug !== '' && (
          <ContactList audience={audience} skipped={skipped} onSkipped={(ids) => change({ skipped: ids })} />
        )}
        {pacing && (
          <WhenField
            startsAt={startsAt}
            onChange={(next) => change({ startsAt: next })}
            zone={pacing.zone}
            nowMs={nowMs}
          />
        )}
        <MarkSwitch isOn={marks} onChange={(isOn) => change({ marks: isOn })} />
      </div>
      <StartBar count={chosen.length} nowMs={nowMs} hasFile={file.file !== null} {...start} />
    </section>
  )
}

function MarkSwitch(how: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <div className="rounded-lg bg-surface shadow-card">
      <Switch
        label="Marcar quem recebeu"
        hint="Mostra “Remarketing” no cartão do contato. O estágio não muda."
        {...how}
      />
    </div>
  )
}

/** If no lead of the stage is interested in the chosen development any more, no development is chosen. */
function useInterests({ leads }: Board, stageSlug: string, chosen: string) {
  const developments = useMemo(() => developmentsIn(leads.values(), stageSlug), [leads, stageSlug])
  return { developments, development: developments.includes(chosen) ? chosen : '' }
}

type InterestFieldProps = { names: readonly string[]; value: string; onChoose: (name: string) => void }

function InterestField({ names, value, onChoose }: InterestFieldProps) {
  if (names.length === 0) return null
  return (
    <SelectField label="Interesse" value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">Todos os empreendimentos</option>
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  )
}

/**
 * Returns a stage's possible recipients: the board's leads, divided by the server's exclusions. The exclusions are read
 * again if a lead has no entry.
 */
function useAudience(
  instanceName: string,
  board: Board,
  { stageSlug, development }: { stageSlug: string; development: string },
) {
  const { data, isPending, refetch } = useQuery(candidatesQuery(instanceName, stageSlug))
  const audience = useMemo(
    () => audienceOf(board.leads.values(), { stageSlug, development }, data?.exclusions),
    [board.leads, stageSlug, data?.exclusions, development],
  )
  const strangers = data ? audience.may.filter(({ id }) => !data.exclusions.has(id)) : []
  const newIds = strangers.map(({ id }) => id).join()
  const readAgain = useEffectEvent(() => void refetch())
  useEffect(() => {
    if (newIds !== '') readAgain()
  }, [newIds])
  // True while some leads are still being read from the device; the campaign would miss them.
  const isPartial = (board.missing.get(stageSlug) ?? 0) > 0
  return { audience, pacing: data?.pacing, isLoading: isPending || isPartial }
}

/**
 * Only memory has the file's bytes. So the app does not update itself, and the browser asks before the page is left.
 */
function useFileKept(hasFile: boolean) {
  useBusy(hasFile)
  useEffect(() => {
    if (!hasFile) return undefined
    const askFirst = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', askFirst)
    return () => removeEventListener('beforeunload', askFirst)
  }, [hasFile])
}
