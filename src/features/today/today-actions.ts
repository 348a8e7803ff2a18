// The callbacks of the rows of 'Hoje'.
import type { Task } from './today-view.ts'

export type TaskActions = {
  /** Opens a lead's conversation. */
  onOpen: (leadId: number) => void
  /** Opens the sheet with a lead's next step. */
  onChange: (leadId: number) => void
  onFinish: (task: Task) => void
  /** Postpones the action by one hour. */
  onPutOff: (task: Task) => void
}
