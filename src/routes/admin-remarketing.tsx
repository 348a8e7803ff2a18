// /remarketing: the campaigns of all brokers, to come. Spec 2.8.
import { ToCome } from '#features/to-come/to-come.tsx'

export function AdminRemarketingPage() {
  return (
    <ToCome
      title="Relatório de Remarketing"
      plan="Aqui você vai ver as campanhas de cada corretor: contatos, mensagens enviadas e taxa de envio."
    />
  )
}
