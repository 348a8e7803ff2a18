// The door to the worker that holds a list: whatever its size, the page never waits for it.
import type { ColumnMap } from '#domain/lead/list/columns.ts'
import {
  type Answered,
  type Asked,
  type Checked,
  type ListHead,
  type SentRow,
  UnreadableFile,
} from './list-protocol.ts'

export type ListReader = {
  /** Rejects with UnreadableFile. */
  read: (file: File) => Promise<ListHead>
  check: (map: ColumnMap) => Promise<Checked>
  rows: (map: ColumnMap, from: number, count: number) => Promise<readonly SentRow[]>
  close: () => void
}

export function openListReader(): ListReader {
  const worker = new Worker(new URL('./list-worker.ts', import.meta.url), { type: 'module' })
  const open = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>()
  let count = 0
  worker.addEventListener('message', ({ data }: MessageEvent<Answered>) => {
    const waiting = open.get(data.id)
    open.delete(data.id)
    if ('fault' in data) waiting?.reject(new UnreadableFile(data.fault))
    else waiting?.resolve(data.answer as never)
  })
  worker.addEventListener('error', ({ message }) => {
    for (const { reject } of open.values()) reject(new Error(message))
    open.clear()
  })
  const ask = <T>(asked: Asked): Promise<T> =>
    new Promise((resolve, reject) => {
      count += 1
      open.set(count, { resolve, reject })
      worker.postMessage({ id: count, asked })
    })
  return {
    read: (file) => ask({ kind: 'read', file }),
    check: (map) => ask({ kind: 'check', map }),
    rows: (map, from, rows) => ask({ kind: 'rows', map, from, count: rows }),
    close: () => worker.terminate(),
  }
}
