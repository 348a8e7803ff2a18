// Shows how many leads wait and how many actions are late, beside the tab's name.
import { useDeferredValue, useMemo } from 'react'
import { useBoard } from '#data/board/leads.ts'
import { useNow } from '#ui/now.ts'
import { pressingCount, todayOf } from './today-view.ts'
import { formatNumber } from '#domain/count.ts'

export function TodayCount({ instanceName }: { instanceName: string }) {
  // After a move of a card, the board is drawn before this count.
  const board = useDeferredValue(useBoard(instanceName).board)
  const nowMs = useNow()
  const isWhole = board?.missing.size === 0
  const count = useMemo(
    () => (board && isWhole ? pressingCount(todayOf(board, nowMs)) : 0),
    [board, isWhole, nowMs],
  )
  // This element may use only classes that other files of the first style sheet use: that sheet is built without this
  // folder.
  return (
    count > 0 && (
      <span className="pl-1.5 text-text-3 tabular-nums max-[340px]:hidden">{formatNumber(count)}</span>
    )
  )
}
