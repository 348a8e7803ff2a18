// The boards of several brokers as one: each pulled by its own changes, so that a live event reads one of them. Spec 2.12, 7.1.
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Lead } from '#domain/lead.ts'
import { type Board, boardQuery, layOverBoard } from './leads.ts'
import { type Pending, usePending } from './pending.ts'

/** How the board of one of them is. */
export type BoardState = {
  instanceName: string
  /** How many leads stand on it; undefined until they are there. */
  total: number | undefined
  /** The last pull failed; what is shown, if anything, is from before. */
  isError: boolean
  retry: () => void
}

export type Boards = {
  states: readonly BoardState[]
  /** Whatever is there of all of them; undefined while nothing is. */
  board: Board | undefined
}

export function useBoards(instanceNames: readonly string[]): Boards {
  const results = useQueries({ queries: instanceNames.map((instanceName) => boardQuery(instanceName)) })
  const pending = usePending()
  const [merge] = useState(createBoardMerge)
  const board = merge(
    results.flatMap(({ data }) => data ?? []),
    pending,
  )
  const states = results.map(({ data, isError, refetch }, index) => ({
    instanceName: instanceNames[index] ?? '',
    total: data && totalOf(data),
    isError,
    retry: () => void refetch(),
  }))
  return { states, board }
}

function totalOf({ leads, missing }: Board): number {
  return leads.size + [...missing.values()].reduce((sum, count) => sum + count, 0)
}

/** Answers the same board as long as it is given the same ones, and the same waits. */
export function createBoardMerge(): (boards: readonly Board[], pending: Pending) => Board | undefined {
  let last: { boards: readonly Board[]; pending: Pending | null; merged: Board | undefined } = {
    boards: [],
    pending: null,
    merged: undefined,
  }
  return (boards, pending) => {
    const isSame =
      pending === last.pending &&
      boards.length === last.boards.length &&
      boards.every((board, at) => board === last.boards[at])
    if (!isSame) {
      const shown = boards.map((board) => layOverBoard(board, pending))
      last = { boards, pending, merged: mergeBoards(shown) }
    }
    return last.merged
  }
}

/** A lead that is just handed over may stand on two: the board that was asked later knows better. */
function mergeBoards(boards: readonly Board[]): Board | undefined {
  const byAge = boards.toSorted((a, b) => a.askedAtMs - b.askedAtMs)
  const newest = byAge.at(-1)
  if (!newest || boards.length === 1) return newest
  const leads = new Map<number, Lead>()
  const missing = new Map<string, number>()
  for (const board of byAge) {
    for (const [id, lead] of board.leads) leads.set(id, lead)
    for (const [slug, count] of board.missing) missing.set(slug, (missing.get(slug) ?? 0) + count)
  }
  return { ...newest, leads, missing }
}
