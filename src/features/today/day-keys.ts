// Handles the keys on 'Hoje': arrow keys move between rows, other keys finish or postpone a row's action.
import type { KeyboardEvent } from 'react'
import type { TaskActions } from './today-actions.ts'
import type { Task } from './today-view.ts'

type Moved = { list: HTMLElement | null; tasks: readonly Task[]; actions: TaskActions }

export function moveOrAct(event: KeyboardEvent, { list, tasks, actions }: Moved) {
  const { key, target: from } = event
  if (!list || !(from instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey) return
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (step !== undefined) {
    const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')].filter((row) => row.checkVisibility())
    const at = rows.findIndex((row) => row === from || row.parentElement?.contains(from))
    event.preventDefault()
    rows[at + step]?.focus()
    return
  }
  const name = from.closest('[data-task]')?.getAttribute('data-task')
  const task = tasks.find(({ action }) => String(action.id ?? action.operationId) === name)
  if (!task || !from.matches('[data-row]')) return
  const act = { ' ': actions.onFinish, a: actions.onPutOff }[key.toLowerCase()]
  if (!act) return
  event.preventDefault()
  act(task)
}
