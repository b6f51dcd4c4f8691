import { type Connection, eventSnippets, type Snippet } from '../../../../src/start-page/snippets.ts';

/** The first for whoever has a web page and nothing else; the others as on the start page. */
export const welcomeSnippets = (connection: Connection): Snippet[] => [
  htmlSnippet(connection),
  ...eventSnippets(connection),
];

/** Texts inside a script element: `<` is written so that no value can end the element. */
const scriptText = (text: string) => JSON.stringify(text).replaceAll('<', '\\u003c');

const htmlSnippet = ({ origin, projectKey }: Connection): Snippet => ({
  id: 'html',
  title: 'HTML',
  code: `<script src="${encodeURI(origin)}/static/array.js"></script>
<script>
  posthog.init(${scriptText(projectKey)}, { api_host: ${scriptText(origin)} });
</script>`,
});
