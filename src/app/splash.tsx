// 'Carregando...': the whole screen, while nobody knows yet what to show.
import { Loading } from '#ui/feedback/loading.tsx'

export function Splash() {
  return (
    <div className="flex min-h-dvh flex-col">
      <Loading />
    </div>
  )
}
