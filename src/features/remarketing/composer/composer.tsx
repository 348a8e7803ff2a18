// Writing a campaign: recipients, text and time.
import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { chooseCampaignFile, missCampaignFile, useCampaignFile } from './campaign-file-data.ts'
import { candidatesQuery } from '../campaigns-data.ts'
import type { Board } from '#data/board/rows.ts'
import { useBusy } from '#ui/busy.ts'
import { Button } from '#ui/primitives/button.tsx'
import { useNow } from '#ui/now.ts'
import { Switch } from '#ui/forms/switch.tsx'
import { audienceOf, longestText, mostLetters } from './composer-rules.ts'
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
  // A stage that was deleted meanwhile counts as none.
  const stageSlug = board.stages.some(({ slug }) => slug === draft.stageSlug) ? draft.stageSlug : ''
  const file = useCampaignFile()
  useEffect(() => void missCampaignFile(), [])
  const nowMs = useNow()
  const { audience, pacing, isLoading } = useAudience(instanceName, board, stageSlug)
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
          onSlug={(slug) => change({ stageSlug: slug, skipped: [] })}
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
        <div className="rounded-lg bg-surface shadow-card">
          <Switch
            label="Marcar quem recebeu"
            hint="Mostra “Remarketing” no cartão do contato. O estágio não muda."
            isOn={marks}
            onChange={(isOn) => change({ marks: isOn })}
          />
        </div>
      </div>
      <StartBar count={chosen.length} nowMs={nowMs} hasFile={file.file !== null} {...start} />
    </section>
  )
}

/**
 * The possible recipients of a stage: the board's leads with the server's exclusions; refetched for leads without an
 * answer.
 */
function useAudience(instanceName: string, board: Board, stageSlug: string) {
  const { data, isPending, refetch } = useQuery(candidatesQuery(instanceName, stageSlug))
  const audience = useMemo(
    () => audienceOf(board.leads.values(), stageSlug, data?.exclusions),
    [board.leads, stageSlug, data?.exclusions],
  )
  const strangers = data ? audience.may.filter(({ id }) => !data.exclusions.has(id)) : []
  const newIds = strangers.map(({ id }) => id).join()
  const readAgain = useEffectEvent(() => void refetch())
  useEffect(() => {
    if (newIds !== '') readAgain()
  }, [newIds])
  // Leads that are still being read from the device would be left out.
  const isPartial = (board.missing.get(stageSlug) ?? 0) > 0
  return { audience, pacing: data?.pacing, isLoading: isPending || isPartial }
}

/** The file is only in memory: the app does not update, and leaving the page asks first. */
function useFileKept(hasFile: boolean) {
  useBusy(hasFile)
  useEffect(() => {
    if (!hasFile) return undefined
    const askFirst = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', askFirst)
    return () => removeEventListener('beforeunload', askFirst)
  }, [hasFile])
}
