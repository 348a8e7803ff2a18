// /crm: the boards of all brokers, to come. Spec 2.12, 2.11.
import { ToCome } from '#features/to-come/to-come.tsx'

export function AdminCrmPage() {
  return (
    <ToCome
      title="Visão Geral do CRM"
      plan="Aqui você vai ver no kanban os leads dos corretores que escolher e gerenciar os estágios."
    />
  )
}
