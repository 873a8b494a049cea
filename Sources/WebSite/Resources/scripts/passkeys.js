// Passkeys: a form that the browser's authenticator answers. Without this script it stays hidden.
export const begin = (signal) => {
  const forms = [...document.querySelectorAll('form[data-passkey]')];
  if (!window.isSecureContext || !window.PublicKeyCredential) return;
  const bytes = (text) => Uint8Array.from(
    atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
  const encoded = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const known = (id) => ({ type: 'public-key', id: bytes(id) });
  const steps = {
    get: async (options) => {
      const key = await navigator.credentials.get({ publicKey: {
        challenge: bytes(options.challenge), rpId: options.relyingPartyID, userVerification: 'required',
      } });
      return {
        id: key.rawId, client: key.response.clientDataJSON, authenticator: key.response.authenticatorData,
        signature: key.response.signature,
      };
    },
    create: async (options) => {
      const key = await navigator.credentials.create({ publicKey: {
        challenge: bytes(options.challenge),
        rp: { id: options.relyingPartyID, name: options.relyingPartyName },
        user: { id: bytes(options.userID), name: options.username, displayName: options.username },
        pubKeyCredParams: options.algorithms.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: options.excludedCredentials.map(known),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      } });
      return { client: key.response.clientDataJSON, attestation: key.response.attestationObject };
    },
  };
  const use = async (form) => {
    const answer = await fetch(form.dataset.challenge, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    const options = await answer.json();
    if (!answer.ok) throw new Error(options.problem);
    const fields = await steps[form.dataset.passkey](options).catch(() => { throw new Error(); });
    Object.entries(fields).forEach(([name, buffer]) => { form.elements[name].value = encoded(buffer); });
    form.submit();
  };
  forms.forEach((form) => {
    form.hidden = false;
    const button = form.querySelector('button');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      button.disabled = true;
      const wrong = form.querySelector('.wrong[role=alert]');
      wrong.textContent = '';
      use(form).catch((error) => {
        wrong.textContent = error instanceof SyntaxError ? form.dataset.failure : error.message || form.dataset.failure;
        button.disabled = false;
      });
    });
  });
};
