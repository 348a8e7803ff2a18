// /prompts: the agents, to come. Spec 2.13.
import { ToCome } from '#features/to-come/to-come.tsx'

export function AdminPromptsPage() {
  return (
    <ToCome
      title="Gerenciamento de Agentes"
      plan="Aqui você vai configurar o agente de cada empreendimento e acompanhar as conversas dele."
    />
  )
}
