// Shown if no lead waits and nothing is late: how many of today's leads were answered and how fast, if there are
// enough.
import { useQuery } from '@tanstack/react-query'
import { CalendarCheck2 } from 'lucide-react'
import { dayQuery } from '#data/broker-day.ts'
import { MINUTE_MS } from '#domain/format.ts'
import { lastingWords } from '#domain/next-action/words.ts'
import { State } from '#ui/feedback/state.tsx'

/** With fewer answered leads than this, their median says little, so it is not shown. */
const FEW = 3

export function AllAnswered({ instanceName }: { instanceName: string }) {
  const { data } = useQuery(dayQuery(instanceName))
  const figures =
    data && data.answered >= FEW && data.medianSeconds !== null
      ? ` Hoje você respondeu ${data.answered} leads, metade em até ${withinWords(data.medianSeconds)}.`
      : ''
  return (
    <State
      kind="empty"
      icon={CalendarCheck2}
      title="Ninguém esperando você"
      hint={`Tudo respondido e nada atrasado.${figures}`}
    />
  )
}

/** Rounds up to whole minutes, so that for example 3 min 20 s is shown as 'até 4 min'. */
const withinWords = (seconds: number) => lastingWords(0, Math.max(1, Math.ceil(seconds / 60)) * MINUTE_MS)
