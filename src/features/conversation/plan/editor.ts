// The editor of a plan, loaded when somebody opens it.
import { lazily } from '#ui/lazily.ts'

export const editor = lazily(async () => (await import('./plan-editor.tsx')).PlanEditor)
