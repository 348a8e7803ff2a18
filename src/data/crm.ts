// Joins several brokers' boards into one. Each board is pulled by itself, so that a live event refetches only one.
import { type QueryClient, QueryObserver, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { Board } from './board/rows.ts'
import { type BoardHandle, boardQuery } from './board/leads.ts'
import { layOverBoard } from './board/overlay.ts'
import { type Pending, usePending } from './pending.ts'

/** The state of one broker's board in the CRM. */
export type BoardState = {
  instanceName: string
  /** How many leads are on the board; undefined until it is loaded. */
  total: number | undefined
  /** The state of the last pull. After a failure, the shown data is older or missing. */
  pull: BoardHandle['pull']
}

const NOT_ASKED = {
  error: null,
  errorUpdateCount: 0,
  refetch: () => Promise.reject(new Error('not asked yet')),
}

export type Boards = {
  states: readonly BoardState[]
  /** The loaded boards as one; undefined before the first is loaded. */
  board: Board | undefined
}

export function useBoards(instanceNames: readonly string[]): Boards {
  const client = useQueryClient()
  const [watch] = useState(() => createBoardWatch(client))
  useEffect(() => watch.follow(instanceNames), [watch, instanceNames])
  useEffect(() => () => watch.follow([]), [watch])
  const results = useSyncExternalStore(watch.subscribe, watch.results)
  const pending = usePending()
  const [merge] = useState(createBoardMerge)
  const board = merge(
    instanceNames.flatMap((name) => results.get(name)?.data ?? []),
    pending,
  )
  const states = instanceNames.map((instanceName) => {
    const result = results.get(instanceName)
    return {
      instanceName,
      total: result?.data && totalOf(result.data),
      pull: result ?? NOT_ASKED,
    }
  })
  return { states, board }
}

const observe = (client: QueryClient, instanceName: string) =>
  new QueryObserver(client, boardQuery(instanceName))

type Observer = ReturnType<typeof observe>
type Results = ReadonlyMap<string, ReturnType<Observer['getCurrentResult']>>

/**
 * Watches several boards. useQueries would do the same, but would enlarge the first chunk of every broker, because the
 * query library is one chunk. A board that stays selected keeps its observer.
 */
export function createBoardWatch(client: QueryClient) {
  const watched = new Map<string, { observer: Observer; stop: () => void }>()
  const listeners = new Set<() => void>()
  let results: Results = new Map()
  const update = () => {
    results = new Map([...watched].map(([name, { observer }]) => [name, observer.getCurrentResult()]))
    for (const listener of listeners) listener()
  }
  return {
    results: () => results,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    follow: (names: readonly string[]) => {
      for (const [name, { stop }] of watched) {
        if (names.includes(name)) continue
        stop()
        watched.delete(name)
      }
      for (const name of names) {
        if (watched.has(name)) continue
        const observer = observe(client, name)
        watched.set(name, { observer, stop: observer.subscribe(update) })
      }
      update()
    },
  }
}

function totalOf({ leads, missing }: Board): number {
  return leads.size + [...missing.values()].reduce((sum, count) => sum + count, 0)
}

/** Returns a function that joins boards. For the same boards and pending changes it returns the same object. */
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

/** Joins boards. A lead that was just transferred may be on two of them; then the board that was fetched later wins. */
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
