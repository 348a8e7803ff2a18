// Makes an HTML form to paste into a website. It needs no library, validates its fields, and has a trap field that only
// robots fill in.

/** `address` is the URL to which the form sends; it contains the source's key. */
export const formSnippet = (address: string) => `<form id="lead">
  <label>Nome <input name="nome" autocomplete="name" required maxlength="200"></label>
  <label>WhatsApp <input name="telefone" type="tel" autocomplete="tel" required></label>
  <label>E-mail <input name="email" type="email" autocomplete="email"></label>
  <label>Mensagem <textarea name="mensagem" maxlength="4000"></textarea></label>
  <label><input name="aceite" type="checkbox" value="sim" required> Aceito receber contato</label>
  <input name="pc_confirme" tabindex="-1" autocomplete="off" aria-hidden="true"
    style="position:absolute;left:-9999px">
  <button>Enviar</button>
  <p role="status"></p>
</form>
<script>
document.getElementById('lead').addEventListener('submit', async function (event) {
  event.preventDefault()
  const form = event.target, said = form.querySelector('[role=status]')
  const data = new FormData(form)
  new URLSearchParams(location.search).forEach(function (value, name) {
    if (/^(utm_|gclid|gbraid|wbraid|fbclid|msclkid|ttclid)/.test(name)) data.append(name, value)
  })
  try {
    const answer = await fetch('${address}', { method: 'POST', body: new URLSearchParams(data) })
    if (answer.ok) { form.reset(); said.textContent = 'Recebemos seu contato.' }
    else said.textContent = (await answer.json()).error.message
  } catch (error) { said.textContent = 'Não foi possível enviar. Tente de novo.' }
})
</script>`
