// /roleta: the rotations of leads, to come. Spec 2.15.
import { ToCome } from '#features/to-come/to-come.tsx'

export function AdminRoletaPage() {
  return (
    <ToCome
      title="Gerenciamento de Roletas"
      plan="Aqui você vai definir, por empreendimento, quais corretores recebem os novos leads e em que ordem."
    />
  )
}
