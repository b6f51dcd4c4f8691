import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../app.ts';

const app = await startTestApp();
after(() => app[Symbol.asyncDispose]());
const { body: description } = await app.send('GET', '/api/schema/');

interface Operation {
  summary: string;
  operationId: string;
  parameters: { name: string; in: string }[];
  responses: Record<string, unknown>;
}
const operations = Object.entries<Record<string, Operation>>(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('the API description is OpenAPI 3.1 and lists both prefixes', () => {
  assert.equal(description.openapi, '3.1.0');
  assert.ok(description.paths['/api/projects/{project_id}/'].get);
  assert.ok(description.paths['/api/environments/{project_id}/'].patch.requestBody);
});

test('every operation has a summary, an id of its own, its path parameters and an answer', () => {
  assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length);
  for (const { path, operation } of operations) {
    assert.ok(operation.summary, path);
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    assert.deepEqual(declared, named);
    assert.ok(
      Object.keys(operation.responses).some((status) => /^2|^405/.test(status)),
      path,
    );
  }
});

test('the shapes of bodies carry their types and limits', () => {
  const { schema } = description.paths['/api/personal_api_keys/'].post.requestBody.content['application/json'];
  assert.deepEqual(schema.properties.label, { type: 'string', maxLength: 40 });
  assert.equal(schema.properties.scopes.type, 'array');
  assert.deepEqual(schema.required, ['label', 'scopes']);
});

test('the page and its script come from the program itself', async () => {
  const page = await app.send('GET', '/api/docs/');
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type') ?? '', /text\/html/);
  const scripts = [...page.text.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, source]) => source as string);
  assert.ok(scripts.length > 0);
  for (const source of scripts) {
    assert.ok(!/^https?:|^\/\//.test(source), source);
    const script = await app.send('GET', new URL(source, `${app.url}/api/docs/`).pathname);
    assert.deepEqual([script.status, /javascript/.test(script.headers.get('content-type') ?? '')], [200, true]);
  }
});
