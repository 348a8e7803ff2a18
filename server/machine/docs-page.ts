// A readable page of openapi.json: plain HTML without scripts.
import type { OpenApi } from './openapi.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const safe = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
const code = (value: unknown) => `<pre>${safe(JSON.stringify(value, null, 2))}</pre>`

export function makeDocsPage({ info, paths, webhooks }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
    })),
  )
  const links = operations.map(
    ({ operationId, method, path, summary }) =>
      `<li><a href="#${operationId}"><code>${method} ${path}</code></a> ${safe(summary)}</li>`,
  )
  const sections = operations.map(({ operationId, method, path, summary, description, ...operation }) =>
    [
      `<section id="${operationId}"><h2><code>${method} /api/v1${path}</code></h2>`,
      `<p>${safe(summary)}. ${safe(description)}.</p>`,
      operation.parameters.length === 0
        ? ''
        : `<table border="1" cellpadding="6"><caption>Parâmetros</caption><thead><tr><th scope="col">Nome</th><th scope="col">Onde</th><th scope="col">Obrigatório</th><th scope="col">Forma</th></tr></thead><tbody>${operation.parameters
            .map(
              ({ name, in: where, required, schema }) =>
                `<tr><td><code>${name}</code></td><td>${where}</td><td>${required ? 'sim' : 'não'}</td><td><code>${safe(JSON.stringify(schema))}</code></td></tr>`,
            )
            .join('')}</tbody></table>`,
      operation.requestBody ? `<h3>Corpo</h3>${code(operation.requestBody.content)}` : '',
      `<h3>Respostas</h3><dl>${Object.entries(operation.responses)
        .map(
          ([status, { description: words, content }]) =>
            `<dt><code>${status}</code> ${safe(words)}</dt>${Number(status) < 300 ? `<dd><details><summary>Forma</summary>${code(content)}</details></dd>` : ''}`,
        )
        .join('')}</dl></section>`,
    ].join('\n'),
  )
  const sent = Object.entries(webhooks).map(
    ([type, { post }]) =>
      `<dt><code>${type}</code> ${safe(post.summary)}</dt><dd><details><summary>Corpo</summary>${code(post.requestBody.content)}</details></dd>`,
  )
  return `<!doctype html>
<html lang="pt-BR">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${safe(info.title)}</title></head>
<body><main>
<h1>${safe(info.title)}</h1>
<p>${safe(info.description)} O mesmo, para programas: <a href="/api/v1/openapi.json">openapi.json</a>.</p>
<nav aria-label="Operações"><ul>${links.join('\n')}<li><a href="#webhooks">Avisos (webhooks)</a></li></ul></nav>
${sections.join('\n')}
<section id="webhooks"><h2>Avisos (webhooks)</h2>
<p>O portal envia cada um por POST ao endereço cadastrado em Integrações, assinado como o Standard Webhooks descreve.</p>
<dl>${sent.join('\n')}</dl></section>
</main></body></html>
`
}
