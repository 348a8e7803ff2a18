// The page with a broker's day, from stored data. Search and 'Adicionar' lead to other leads.
import './today.css'
import { Search, UserRoundPlus } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useMemo } from 'react'
import { useAnswerTarget } from '#data/answer-target.ts'
import { dayQuery, useCounted } from '#data/broker-day.ts'
import { useBoard } from '#data/board/leads.ts'
import { noteDaySeen } from '#data/day-offer.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { now, useNow } from '#ui/now.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { finishedOf, useDoneHere } from './finished.ts'
import { Sections } from './sections.tsx'
import { useTargetNotices } from './target-notices.ts'
import { dayTitle } from './texts.ts'
import type { TaskActions } from './today-actions.ts'
import { type Task, todayOf } from './today-view.ts'

const SHAPES = [0, 1, 2]

type TodayPageProps = TaskActions & {
  instanceName: string
  /** Shown above all sections. */
  above: ReactNode
  /** True if the part above already asks about this late action. */
  isAsked: (task: Task) => boolean
  onAdd: () => void
  onSearch: () => void
  /** The element around the button that opens the search. */
  searchPlace: RefObject<HTMLDivElement | null>
}

export function TodayPage(props: TodayPageProps) {
  const { instanceName, above, onAdd, onSearch, searchPlace, ...actions } = props
  const { board, pull } = useBoard(instanceName)
  const nowMs = useNow()
  const today = useMemo(() => board && todayOf(board, nowMs), [board, nowMs])
  const here = useDoneHere(instanceName)
  const finished = useMemo(() => (board ? finishedOf(board.leads, here, nowMs) : []), [board, here, nowMs])
  useQuery(dayQuery(instanceName))
  useTargetNotices(today, { nowMs, targetMs: useAnswerTarget(), counted: useCounted() })
  useEffect(() => noteDaySeen(now()), [])
  return (
    <div className="day-page mx-auto flex w-full grow flex-col px-4 pt-2.5 pb-[max(16px,var(--safe-bottom))]">
      <div className="-mr-2 flex items-center justify-between pb-2">
        <h1 className="text-26 font-title tracking-heading">{dayTitle(nowMs)}</h1>
        <div className="flex">
          <IconButton icon={UserRoundPlus} label="Adicionar lead" onClick={onAdd} />
          <div ref={searchPlace} className="contents">
            <IconButton icon={Search} label="Buscar contato" onClick={onSearch} />
          </div>
        </div>
      </div>
      {above}
      {board && today ? (
        <Sections {...{ instanceName, board, today, finished, nowMs, ...actions }} />
      ) : pull.error ? (
        <FailedRead of={pull} />
      ) : (
        <div aria-busy className="flex animate-late flex-col gap-3">
          {SHAPES.map((shape) => (
            <Skeleton key={shape} className="day-idle w-full" />
          ))}
        </div>
      )}
    </div>
  )
}
