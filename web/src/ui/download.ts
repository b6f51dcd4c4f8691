/** Hands a file to the browser's downloads. */
export function download(name: string, content: string | Blob, type = 'text/csv;charset=utf-8'): void {
  const address = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** What a `data:` address holds; the policy of the page does not let it be fetched. */
export function readDataAddress(address: string): Blob {
  const [head = '', base64 = ''] = address.split(',');
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  return new Blob([bytes], { type: /^data:([^;]+)/.exec(head)?.[1] ?? '' });
}

/** A file name from whatever a thing is called. */
export const toFileName = (name: string, ending: string) =>
  `${
    name
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 80) || 'tenrec'
  }.${ending}`;
