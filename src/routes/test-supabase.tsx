// The diagnostics page. Spec 2.1.
import { Diagnostics } from '#features/diagnostics/diagnostics.tsx'
import { usePageTitle } from '#ui/page-title.ts'

export function TestSupabasePage() {
  usePageTitle('Diagnóstico')
  return (
    <main className="mx-auto flex min-h-dvh max-w-120 flex-col px-6 pt-[calc(40px+var(--safe-top))] pb-10">
      <h1 className="text-26 font-title tracking-heading">Diagnóstico</h1>
      <p className="mt-2 mb-6 text-text-2">O que este aparelho consegue alcançar agora.</p>
      <Diagnostics />
    </main>
  )
}
