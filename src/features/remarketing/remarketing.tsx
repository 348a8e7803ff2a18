// A broker's remarketing page: the running campaign, or the form for the next one. The past campaigns are below.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type ActiveCampaign, activeCampaignQuery } from './campaigns-data.ts'
import { useBoard } from '#data/board/leads.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { CampaignHistory } from './campaign-history.tsx'
import { Composer } from './composer/composer.tsx'
import { ProgressPanel } from './progress/progress-panel.tsx'
import { lazily } from '#ui/lazily.ts'
import { useFinish } from './progress/use-finish.ts'

const rules = lazily(async () => (await import('./online-dialogs.ts')).RulesDialog)

export function Remarketing({ instanceName }: { instanceName: string }) {
  usePageTitle('Remarketing')
  const [isReadingRules, setReadingRules] = useState(false)
  return (
    // `relative` keeps visually hidden inputs (radio buttons, checkboxes) inside this scroll area.
    <div className="relative min-h-0 grow scroll-pb-32 overflow-y-auto px-4 pt-2 lg:px-8 lg:pt-6">
      <div className="mx-auto w-full max-w-360 pb-[max(24px,var(--safe-bottom))]">
        <Present instanceName={instanceName} onRules={() => rules.open(() => setReadingRules(true))} />
        <CampaignHistory instanceName={instanceName} />
      </div>
      {rules.isHere() && (
        <rules.Component isOpen={isReadingRules} onClose={() => setReadingRules(false)} mayChange={false} />
      )}
    </div>
  )
}

/** The composer is hidden while a campaign runs, and until the app knows whether one runs. */
function Present({ instanceName, onRules }: { instanceName: string; onRules: () => void }) {
  const campaign = useQuery(activeCampaignQuery(instanceName))
  const { data: active } = campaign
  const { board, pull } = useBoard(instanceName)
  const top = useRef<HTMLDivElement>(null)
  useFinish(instanceName, active)
  useShown(top, active)
  if (active === undefined || !board) {
    const failed = active === undefined && campaign.error ? campaign : !board && pull.error ? pull : null
    return (
      <>
        <h1 className="sr-only">Remarketing</h1>
        {failed ? <FailedRead of={failed} /> : <Skeleton className="h-96 rounded-dialog!" />}
      </>
    )
  }
  return (
    <div ref={top} className="scroll-mt-4">
      {active ? (
        <ProgressPanel instanceName={instanceName} campaign={active} stages={board.stages} />
      ) : (
        <Composer instanceName={instanceName} board={board} onRules={onRules} />
      )}
    </div>
  )
}

/** The start button is at the foot of a long page, so after the start the page scrolls up to the running campaign. */
function useShown(top: React.RefObject<HTMLElement | null>, active: ActiveCampaign | null | undefined) {
  const isUnderWay = active != null
  useEffect(() => {
    if (isUnderWay) top.current?.scrollIntoView({ block: 'start' })
  }, [isUnderWay, top])
}
