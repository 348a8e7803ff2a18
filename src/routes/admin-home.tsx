// '/': the brokers and their connections, to come. Spec 2.5.
import { ToCome } from '#features/to-come/to-come.tsx'

export function AdminHomePage() {
  return (
    <ToCome
      title="Gerenciar Corretores"
      plan="Aqui você vai adicionar e remover corretores, redefinir senhas e ver quem está com o WhatsApp conectado."
    />
  )
}
