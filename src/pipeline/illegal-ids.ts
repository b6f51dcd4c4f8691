// Ids that stand for nobody in particular. Events with them are stored; people are never merged through them, because
// one careless client would otherwise turn all its users into one.

const ANY_CASE = [
  'anonymous',
  'guest',
  'distinctid',
  'distinct_id',
  'id',
  'not_authenticated',
  'email',
  'undefined',
  'true',
  'false',
];
const EXACT_CASE = ['[object Object]', 'NaN', 'None', 'none', 'null', '0'];

const quoted = (id: string) => [id, `'${id}'`, `"${id}"`];
const anyCase: ReadonlySet<string> = new Set(ANY_CASE.flatMap(quoted));
const exactCase: ReadonlySet<string> = new Set(EXACT_CASE.flatMap(quoted));

export function isIllegalId(distinct_id: string): boolean {
  return distinct_id.trim() === '' || anyCase.has(distinct_id.toLowerCase()) || exactCase.has(distinct_id);
}
