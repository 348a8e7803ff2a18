// 'Funcionamento e testes' of an agent: mode, budget and facts.
import { useQuery } from '@tanstack/react-query'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { agentSetupQuery } from './data.ts'
import { BenchCard } from '../bench/bench-card.tsx'
import { BrakeCard } from './brake-card.tsx'
import { FollowUpCard } from './follow-up-card.tsx'
import { FactsCard } from './facts-card.tsx'
import { ModeCard } from './mode-card.tsx'
import { SpendingCard } from './spending-card.tsx'

export function Workings({ agentId }: { agentId: number }) {
  const read = useQuery(agentSetupQuery(agentId))
  const { data: setup } = read
  if (!setup)
    return read.error ? (
      <FailedRead of={read} title="Não foi possível carregar o funcionamento." />
    ) : (
      <Skeleton className="h-80 rounded-lg!" />
    )
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(18rem,24rem)_1fr]">
      <div className="flex min-w-0 flex-col gap-5">
        <ModeCard agentId={agentId} mode={setup.mode} />
        <SpendingCard agentId={agentId} setup={setup} />
        <BrakeCard agentId={agentId} setup={setup} />
        <FollowUpCard agentId={agentId} setup={setup} />
      </div>
      <div className="flex min-w-0 flex-col gap-5">
        <BenchCard agentId={agentId} hasModel={setup.model !== null} />
        <FactsCard agentId={agentId} setup={setup} />
      </div>
    </div>
  )
}
