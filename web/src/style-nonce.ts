/** Components that make `<style>` elements give them this; the page's policy ignores every other. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// The library that holds the page still behind a dialog looks for its nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
