// What to paste where: a first event from each kind of program, and a first question to the API.

export interface Snippet {
  id: string;
  title: string;
  /** The command that installs the SDK. */
  install?: string;
  code: string;
}

export interface Connection {
  /** The address that clients use, without a path: `http://127.0.0.1:8000`. */
  origin: string;
  projectKey: string;
}

/** A first event, in each of the ways to send one. */
export const eventSnippets = ({ origin, projectKey }: Connection): Snippet[] => [
  {
    id: 'curl',
    title: 'curl',
    code: `curl ${shellText(`${origin}/capture/`)} \\
  -H 'Content-Type: application/json' \\
  -d ${shellText(prettyJson({ api_key: projectKey, event: 'signed up', distinct_id: 'user-1' }))}`,
  },
  {
    id: 'web',
    title: 'JavaScript',
    install: 'npm install posthog-js',
    code: `import posthog from 'posthog-js';

posthog.init(${scriptText(projectKey)}, {
  api_host: ${scriptText(origin)},
});

posthog.identify('user-1');
posthog.capture('signed up', { plan: 'free' });`,
  },
  {
    id: 'node',
    title: 'Node',
    install: 'npm install posthog-node',
    code: `import { PostHog } from 'posthog-node';

const client = new PostHog(${scriptText(projectKey)}, {
  host: ${scriptText(origin)},
});

client.capture({
  distinctId: 'user-1',
  event: 'signed up',
  properties: { plan: 'free' },
});

// Sends what is still waiting.
await client.shutdown();`,
  },
  {
    id: 'python',
    title: 'Python',
    install: 'pip install posthog',
    code: `from posthog import Posthog

client = Posthog(
    ${scriptText(projectKey)},
    host=${scriptText(origin)},
)

client.capture(
    event="signed up",
    distinct_id="user-1",
    properties={"plan": "free"},
)

# Sends what is still waiting.
client.shutdown()`,
  },
];

/** A first question to the management API. */
export const apiSnippet = ({ origin }: Connection): Snippet => ({
  id: 'api',
  title: 'List your projects',
  code: `curl ${shellText(`${origin}/api/projects/`)} \\
  -H 'Authorization: Bearer phx_…'`,
});

const prettyJson = (value: object) => JSON.stringify(value, null, 2);

/** A literal that JavaScript and Python read alike. The address comes from the client, so it may hold quotes. */
const scriptText = (text: string) => JSON.stringify(text);

/** One word for the shell, whatever it holds. */
const shellText = (text: string) => (/^[\w/:.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
