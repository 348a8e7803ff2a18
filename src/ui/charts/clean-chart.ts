// Cleans the HTML of the chart library, which joins names of brokers and stages into it.
import { cleanHtmlWith, trustedTypes } from '../trusted-types.ts'

/** What the library draws with; other elements are removed with their content. */
const ELEMENTS = new Set(['DIV', 'SPAN', 'B', 'BR'])
const ATTRIBUTES = new Set(['class', 'rel', 'data:collapsed', 'data:default-text'])

/** Of a template's content, which nothing runs or loads. */
const inert = trustedTypes?.createPolicy('chart', { createHTML: (html) => html })

cleanHtmlWith((html) => {
  const template = document.createElement('template')
  template.innerHTML = inert?.createHTML(html) ?? html
  for (const element of template.content.querySelectorAll('*')) {
    if (!ELEMENTS.has(element.tagName)) element.remove()
    for (const name of element.getAttributeNames()) if (!ATTRIBUTES.has(name)) element.removeAttribute(name)
  }
  return template.innerHTML
})
