// /reports: the lead dashboard, to come. Spec 2.6.
import { ToCome } from '#features/to-come/to-come.tsx'

export function AdminReportsPage() {
  return (
    <ToCome
      title="Relatórios"
      plan="Aqui você vai ver os leads por período, empreendimento e corretor: totais, tempo de resposta, origem e conversão."
    />
  )
}
