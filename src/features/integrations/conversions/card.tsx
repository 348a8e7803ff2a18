// 'Conversões para a Meta': both targets with their state, and the log of events.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { formatNumber } from '#domain/count.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Card } from '#ui/primitives/card.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { STATES, type Target, targetsQuery } from './data.ts'
import { TargetDialog } from './dialog.tsx'
import { ConversionLog } from './log.tsx'
import { STATE, stoppedText, testText, WAY } from './texts.ts'

const TITLE = 'Conversões para a Meta'
const BADGE = {
  off: { label: 'Desligado', tone: 'neutral' },
  on: { label: 'Ligado', tone: 'success' },
  stopped: { label: 'Parado', tone: 'danger' },
} as const

export function ConversionsCard() {
  const read = useQuery(targetsQuery())
  const isOnline = useIsOnline()
  const [chosen, setChosen] = useState<Target | null>(null)
  const hasEvents = (read.data ?? []).some(({ counts }) => Object.keys(counts).length > 0)
  return (
    <Card title={TITLE} note="lead qualificado, visita e venda voltam ao anúncio">
      <p className="px-4 pb-3 text-14 text-text-2 lg:px-5">
        Nada sai daqui enquanto os dois caminhos estiverem desligados. Nome, telefone e e-mail vão só como
        código (SHA-256); de particulares, de quem pediu para não receber e de quem foi excluído não vai nada.
        A venda vem meses depois do clique, e o relatório do anúncio quase nunca a mostra.
      </p>
      {!read.data &&
        (read.error ? <FailedRead of={read} isRow /> : <Skeleton className="m-4 h-24 rounded-md!" />)}
      <ul>
        {read.data?.map((target) => (
          <li
            key={target.target}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-border px-4 py-3 lg:px-5"
          >
            <span className="min-w-60 flex-1">
              <span className="flex items-center gap-2 text-15 font-medium">
                {WAY[target.target].name}
                <Badge tone={BADGE[target.state].tone}>{BADGE[target.state].label}</Badge>
              </span>
              <span className="block text-13 text-text-3">
                {target.state === 'stopped' ? stoppedText(target.fault) : WAY[target.target].what}
              </span>
              {target.testCode !== '' && (
                <span className="block text-13 text-warning">{testText(target.testCode)}</span>
              )}
              <span className="block text-13 text-text-2">{countsText(target)}</span>
            </span>
            <Button
              variant="line"
              aria-label={`Configurar: ${WAY[target.target].name}`}
              disabled={!isOnline}
              title={isOnline ? undefined : ONLINE_ONLY}
              onClick={() => setChosen(target)}
            >
              Configurar
            </Button>
          </li>
        ))}
      </ul>
      {hasEvents && <ConversionLog />}
      {chosen && <TargetDialog key={chosen.target} target={chosen} onClose={() => setChosen(null)} />}
    </Card>
  )
}

const countsText = ({ counts }: Target) =>
  STATES.flatMap((state) => {
    const count = counts[state]
    return count === undefined ? [] : [`${formatNumber(count)} ${STATE[state].toLowerCase()}`]
  }).join(' · ')
