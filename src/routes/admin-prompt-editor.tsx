// '/prompts/id/field': the editor of one prompt text.
import { useParams } from '@tanstack/react-router'
import { PromptEditor } from '#features/agents/prompts/prompt-editor.tsx'

export function AdminPromptEditorPage() {
  const { id, field } = useParams({ from: '/admin/prompts/$id/$field' })
  return <PromptEditor id={id} field={field} />
}
