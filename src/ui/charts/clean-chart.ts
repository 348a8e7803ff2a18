// Cleans the HTML of the chart library, which contains names that people typed.
import { cleanHtmlWith, trustedTypes } from '../trusted-types.ts'

/** The elements that the library draws with. Others are removed together with their content. */
const ELEMENTS = new Set(['DIV', 'SPAN', 'B', 'BR'])
const ATTRIBUTES = new Set(['class', 'rel', 'data:collapsed', 'data:default-text'])

/** Makes the content of a template, where nothing is run or loaded. */
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
