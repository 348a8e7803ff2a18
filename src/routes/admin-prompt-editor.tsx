// /prompts/id/field: the editor of one text, to come. Spec 2.14.
import { ToCome } from '#features/to-come/to-come.tsx'

export function AdminPromptEditorPage() {
  return (
    <ToCome
      title="Editor do agente"
      plan="Aqui você vai escrever e salvar os textos que o agente usa no atendimento e no agendamento."
    />
  )
}
