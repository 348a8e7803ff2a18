// What the rows of 'Hoje' ask for.
import type { Task } from './today-view.ts'

export type TaskActions = {
  /** Opens a lead's conversation. */
  onOpen: (leadId: number) => void
  /** Opens what is to be done next for a lead. */
  onChange: (leadId: number) => void
  onFinish: (task: Task) => void
  /** By an hour. */
  onPutOff: (task: Task) => void
}
